import { clientManagement } from "#content/use-cases/client-management.ts";
import {
  ClientManagementAfter,
  ClientManagementBefore,
} from "../drawings/use-cases/client-management.tsx";
import {
  Benefits,
  BookingLink,
  Cost,
  FiguresAndExample,
  FirstNinetyDays,
  headOfUseCase,
  Outlook,
  Problems,
  Today,
  UseCasePage,
} from "../sections/use-case/use-case-page.tsx";
import type { Route } from "./+types/use-cases-client-management";
import "../sections/use-case/forms/site-record.css";

export function meta({ matches }: Route.MetaArgs) {
  return headOfUseCase(clientManagement, matches);
}

export default function ClientManagementPage() {
  return (
    <UseCasePage
      useCase={clientManagement}
      before={<ClientManagementBefore />}
      after={<ClientManagementAfter />}
      action={<BookingLink>{clientManagement.closing.action}</BookingLink>}
    >
      <Today {...clientManagement.today} form="correspondence" />
      <Problems {...clientManagement.problems} />
      <Benefits {...clientManagement.benefits} />
      <FiguresAndExample
        figures={clientManagement.figures}
        example={clientManagement.example}
        form="site-record"
      />
      <Cost {...clientManagement.cost} />
      <FirstNinetyDays {...clientManagement.firstNinetyDays} />
      <Outlook {...clientManagement.outlook} />
    </UseCasePage>
  );
}
