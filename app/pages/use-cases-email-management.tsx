import { emailManagement } from "#content/use-cases/email-management.ts";
import {
  EmailManagementAfter,
  EmailManagementBefore,
} from "../figures/use-cases/email-management.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import { headOfUseCase } from "../sections/use-case/head-of-use-case.ts";
import { UseCasePage } from "../sections/use-case/use-case-page.tsx";
import type { Route } from "./+types/use-cases-email-management";

export function meta({ matches }: Route.MetaArgs) {
  return headOfUseCase(emailManagement, matches);
}

export default function EmailManagementPage() {
  return (
    <UseCasePage
      useCase={emailManagement}
      before={<EmailManagementBefore />}
      after={<EmailManagementAfter />}
      action={<BookingButton variant="ink">{emailManagement.closing.action}</BookingButton>}
    />
  );
}
