import { leads } from "#content/use-cases/leads.ts";
import { LeadsAfter, LeadsBefore } from "../drawings/use-cases/leads.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import {
  Benefits,
  Cost,
  Example,
  headOfUseCase,
  MeasuredFigures,
  Outlook,
  TodayAndProblems,
  UseCasePage,
} from "../sections/use-case/use-case-page.tsx";
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
