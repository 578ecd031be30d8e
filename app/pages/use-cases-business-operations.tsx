import { businessOperations } from "#content/use-cases/business-operations.ts";
import { OperationsAfter, OperationsBefore } from "../drawings/use-cases/business-operations.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import {
  Benefits,
  Cost,
  FiguresAndExample,
  FirstNinetyDays,
  headOfUseCase,
  Outlook,
  Problems,
  Today,
  UseCasePage,
} from "../sections/use-case/use-case-page.tsx";
import type { Route } from "./+types/use-cases-business-operations";
import "../sections/use-case/forms/ledger.css";

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
    >
      <Today {...businessOperations.today} />
      <Problems {...businessOperations.problems} />
      <Cost {...businessOperations.cost} />
      <FiguresAndExample
        figures={businessOperations.figures}
        example={businessOperations.example}
        form="ledger"
      />
      <Benefits {...businessOperations.benefits} />
      <FirstNinetyDays {...businessOperations.firstNinetyDays} />
      <Outlook {...businessOperations.outlook} />
    </UseCasePage>
  );
}
