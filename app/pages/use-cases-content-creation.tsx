import { contentCreation } from "#content/use-cases/content-creation.ts";
import {
  ContentCreationAfter,
  ContentCreationBefore,
} from "../figures/use-cases/content-creation.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import { headOfUseCase } from "../sections/use-case/head-of-use-case.ts";
import { UseCasePage } from "../sections/use-case/use-case-page.tsx";
import type { Route } from "./+types/use-cases-content-creation";

export function meta({ matches }: Route.MetaArgs) {
  return headOfUseCase(contentCreation, matches);
}

export default function ContentCreationPage() {
  return (
    <UseCasePage
      useCase={contentCreation}
      before={<ContentCreationBefore />}
      after={<ContentCreationAfter />}
      action={<BookingButton variant="ink">{contentCreation.closing.action}</BookingButton>}
    />
  );
}
