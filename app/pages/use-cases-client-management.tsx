import { clientManagement, messageThread } from "#content/use-cases/client-management.ts";
import {
  ClientManagementAfter,
  ClientManagementBefore,
} from "../drawings/use-cases/client-management.tsx";
import {
  BeforeAndAfter,
  BookingLink,
  headOfUseCase,
  UseCasePage,
} from "../sections/use-case/use-case-page.tsx";
import type { Route } from "./+types/use-cases-client-management";

export function meta({ matches }: Route.MetaArgs) {
  return headOfUseCase(clientManagement, matches);
}

export default function ClientManagementPage() {
  return (
    <UseCasePage
      useCase={clientManagement}
      drawing={
        <BeforeAndAfter
          drawing={clientManagement.drawing}
          before={<ClientManagementBefore />}
          after={<ClientManagementAfter />}
        />
      }
      besideProblems={<MessageThread />}
      booking={BookingLink}
    />
  );
}

/** A week of the job; every second message is the firm's. */
function MessageThread() {
  return (
    <figure className="thread">
      <figcaption className="lettering">{messageThread.heading}</figcaption>
      <ol>
        {messageThread.messages.map(({ when, what }) => (
          <li key={when}>
            <span className="lettering">{when}</span>
            <p>{what}</p>
          </li>
        ))}
      </ol>
    </figure>
  );
}
