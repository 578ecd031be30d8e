import { clientManagement } from "#content/use-cases/client-management.ts";
import {
  ClientManagementAfter,
  ClientManagementBefore,
} from "../figures/use-cases/client-management.tsx";
import { BookingLink } from "../sections/use-case/booking-link.tsx";
import { headOfUseCase } from "../sections/use-case/head-of-use-case.ts";
import { UseCasePage } from "../sections/use-case/use-case-page.tsx";
import type { Route } from "./+types/use-cases-client-management";

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
    />
  );
}
