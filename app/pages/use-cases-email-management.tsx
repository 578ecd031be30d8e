import { emailManagement } from "#content/use-cases/email-management.ts";
import {
  EmailManagementAfter,
  EmailManagementBefore,
} from "../drawings/use-cases/email-management.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import {
  Benefits,
  Cost,
  Example,
  FirstNinetyDays,
  headOfUseCase,
  MeasuredFigures,
  Outlook,
  TodayAndProblems,
  UseCasePage,
} from "../sections/use-case/use-case-page.tsx";
import type { Route } from "./+types/use-cases-email-management";
import "../sections/use-case/forms/inbox.css";

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
    >
      <TodayAndProblems
        today={emailManagement.today}
        problems={emailManagement.problems}
        form="inbox"
      />
      <Benefits {...emailManagement.benefits} />
      <MeasuredFigures {...emailManagement.figures} />
      <Cost {...emailManagement.cost} />
      <Example {...emailManagement.example} />
      <FirstNinetyDays {...emailManagement.firstNinetyDays} />
      <Outlook {...emailManagement.outlook} />
    </UseCasePage>
  );
}
