import { businessOperations } from "#content/use-cases/business-operations.ts";
import { OperationsAfter, OperationsBefore } from "../drawings/use-cases/business-operations.tsx";
import { BeforeAndAfter, headOfUseCase, UseCasePage } from "../sections/use-case/use-case-page.tsx";
import type { Route } from "./+types/use-cases-business-operations";

export function meta({ matches }: Route.MetaArgs) {
  return headOfUseCase(businessOperations, matches);
}

export default function BusinessOperationsPage() {
  return (
    <UseCasePage
      useCase={businessOperations}
      drawing={
        <BeforeAndAfter
          drawing={businessOperations.drawing}
          before={<OperationsBefore />}
          after={<OperationsAfter />}
        />
      }
    />
  );
}
