import { emailManagement } from "#content/use-cases/email-management.ts";
import {
  EmailManagementAfter,
  EmailManagementBefore,
} from "../drawings/use-cases/email-management.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import { Benefits } from "../sections/use-case/benefits.tsx";
import { Cost } from "../sections/use-case/cost.tsx";
import { Example } from "../sections/use-case/example.tsx";
import { FirstNinetyDays } from "../sections/use-case/first-ninety-days.tsx";
import { headOfUseCase } from "../sections/use-case/head-of-use-case.ts";
import { MeasuredFigures } from "../sections/use-case/measured-figures.tsx";
import { Outlook } from "../sections/use-case/outlook.tsx";
import { TodayAndProblems } from "../sections/use-case/today-and-problems.tsx";
import { UseCasePage } from "../sections/use-case/use-case-page.tsx";
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
