import { businessOperations } from "#content/use-cases/business-operations.ts";
import { OperationsAfter, OperationsBefore } from "../figures/use-cases/business-operations.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import { headOfUseCase } from "../sections/use-case/head-of-use-case.ts";
import { UseCasePage } from "../sections/use-case/use-case-page.tsx";
import type { Route } from "./+types/use-cases-business-operations";

export function meta({ matches }: Route.MetaArgs) {
  return headOfUseCase(businessOperations, matches);
}

export default function BusinessOperationsPage() {
  return (
    <UseCasePage
      useCase={businessOperations}
      before={<OperationsBefore />}
      after={<OperationsAfter />}
      action={<BookingButton variant="ink">{businessOperations.closing.action}</BookingButton>}
    />
  );
}
