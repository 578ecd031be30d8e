import { emailManagement } from "#content/use-cases/email-management.ts";
import {
  EmailManagementAfter,
  EmailManagementBefore,
} from "../drawings/use-cases/email-management.tsx";
import { metaOfUseCase, UseCasePage } from "../sections/use-case/use-case-page.tsx";

export const meta = metaOfUseCase(emailManagement);

export default function EmailManagementPage() {
  return (
    <UseCasePage
      useCase={emailManagement}
      before={<EmailManagementBefore />}
      after={<EmailManagementAfter />}
    />
  );
}
