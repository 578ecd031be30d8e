import { businessOperations } from "#content/use-cases/business-operations.ts";
import { OperationsAfter, OperationsBefore } from "../drawings/use-cases/business-operations.tsx";
import { metaOfUseCase, UseCasePage } from "../sections/use-case/use-case-page.tsx";

export const meta = metaOfUseCase(businessOperations);

export default function BusinessOperationsPage() {
  return (
    <UseCasePage
      useCase={businessOperations}
      before={<OperationsBefore />}
      after={<OperationsAfter />}
    />
  );
}
