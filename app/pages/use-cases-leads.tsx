import { leads } from "#content/use-cases/leads.ts";
import { LeadsAfter, LeadsBefore } from "../drawings/use-cases/leads.tsx";
import { BeforeAndAfter, headOfUseCase, UseCasePage } from "../sections/use-case/use-case-page.tsx";
import type { Route } from "./+types/use-cases-leads";

export function meta({ matches }: Route.MetaArgs) {
  return headOfUseCase(leads, matches);
}

export default function LeadsPage() {
  return (
    <UseCasePage
      useCase={leads}
      drawing={
        <BeforeAndAfter drawing={leads.drawing} before={<LeadsBefore />} after={<LeadsAfter />} />
      }
    />
  );
}
