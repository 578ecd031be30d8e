import { leads } from "#content/use-cases/leads.ts";
import { LeadsAfter, LeadsBefore } from "../figures/use-cases/leads.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import { headOfUseCase } from "../sections/use-case/head-of-use-case.ts";
import { UseCasePage } from "../sections/use-case/use-case-page.tsx";
import type { Route } from "./+types/use-cases-leads";

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
    />
  );
}
