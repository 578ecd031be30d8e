import { leads } from "#content/use-cases/leads.ts";
import { LeadsAfter, LeadsBefore } from "../figures/use-cases/leads.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import { UseCasePage } from "../sections/use-case/use-case-page.tsx";
import { useCaseMeta } from "../sections/use-case/use-case-meta.ts";
import type { Route } from "./+types/use-cases-leads";

export function meta({ matches }: Route.MetaArgs) {
  return useCaseMeta(leads, matches);
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
