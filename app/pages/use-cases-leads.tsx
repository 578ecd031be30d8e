import { leads } from "#content/use-cases/leads.ts";
import { LeadsAfter, LeadsBefore } from "../drawings/use-cases/leads.tsx";
import { metaOfUseCase, UseCasePage } from "../sections/use-case/use-case-page.tsx";

export const meta = metaOfUseCase(leads);

export default function LeadsPage() {
  return <UseCasePage useCase={leads} before={<LeadsBefore />} after={<LeadsAfter />} />;
}
