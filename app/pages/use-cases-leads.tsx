import { leads } from "#content/use-cases/leads.ts";
import { LeadsAfter, LeadsBefore } from "../drawings/use-cases/leads.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import { Benefits } from "../sections/use-case/benefits.tsx";
import { Cost } from "../sections/use-case/cost.tsx";
import { Example } from "../sections/use-case/example.tsx";
import { headOfUseCase } from "../sections/use-case/head-of-use-case.ts";
import { MeasuredFigures } from "../sections/use-case/measured-figures.tsx";
import { Outlook } from "../sections/use-case/outlook.tsx";
import { TodayAndProblems } from "../sections/use-case/today-and-problems.tsx";
import { UseCasePage } from "../sections/use-case/use-case-page.tsx";
import type { Route } from "./+types/use-cases-leads";
import "../sections/use-case/forms/response-times.css";

export function meta({ matches }: Route.MetaArgs) {
  return headOfUseCase(leads, matches);
}

export default function LeadsPage() {
  return (
    <UseCasePage
      useCase={leads}
      before={<LeadsBefore />}
      after={<LeadsAfter />}
      action={<BookingButton variant="ink">{leads.closing.action}</BookingButton>}
    >
      <MeasuredFigures {...leads.figures} form="response-times" />
      <TodayAndProblems today={leads.today} problems={leads.problems} form="leaks-of-a-day" />
      <Cost {...leads.cost} />
      <Benefits {...leads.benefits} />
      <Example {...leads.example} />
      <Outlook {...leads.outlook} />
    </UseCasePage>
  );
}
