import { businessOperations } from "#content/use-cases/business-operations.ts";
import { OperationsAfter, OperationsBefore } from "../drawings/use-cases/business-operations.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import { Benefits } from "../sections/use-case/benefits.tsx";
import { Cost } from "../sections/use-case/cost.tsx";
import { FiguresAndExample } from "../sections/use-case/figures-and-example.tsx";
import { FirstNinetyDays } from "../sections/use-case/first-ninety-days.tsx";
import { headOfUseCase } from "../sections/use-case/head-of-use-case.ts";
import { Outlook } from "../sections/use-case/outlook.tsx";
import { Problems } from "../sections/use-case/problems.tsx";
import { Today } from "../sections/use-case/today.tsx";
import { UseCasePage } from "../sections/use-case/use-case-page.tsx";
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
