import { emailManagement } from "#content/use-cases/email-management.ts";
import {
  EmailManagementAfter,
  EmailManagementBefore,
} from "../drawings/use-cases/email-management.tsx";
import { BeforeAndAfter, headOfUseCase, UseCasePage } from "../sections/use-case/use-case-page.tsx";
import type { Route } from "./+types/use-cases-email-management";

export function meta({ matches }: Route.MetaArgs) {
  return headOfUseCase(emailManagement, matches);
}

export default function EmailManagementPage() {
  return (
    <UseCasePage
      useCase={emailManagement}
      drawing={
        <BeforeAndAfter
          drawing={emailManagement.drawing}
          before={<EmailManagementBefore />}
          after={<EmailManagementAfter />}
        />
      }
    />
  );
}
