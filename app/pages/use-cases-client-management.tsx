import { clientManagement, messageThread } from "#content/use-cases/client-management.ts";
import {
  ClientManagementAfter,
  ClientManagementBefore,
} from "../drawings/use-cases/client-management.tsx";
import { BookingLink, metaOfUseCase, UseCasePage } from "../sections/use-case/use-case-page.tsx";

export const meta = metaOfUseCase(clientManagement);

export default function ClientManagementPage() {
  return (
    <UseCasePage
      useCase={clientManagement}
      before={<ClientManagementBefore />}
      after={<ClientManagementAfter />}
      besideProblems={<MessageThread />}
      booking={BookingLink}
    />
  );
}

/** A week of the job; every second message is the firm's. */
function MessageThread() {
  return (
    <figure className="thread below">
      <figcaption className="lettering">{messageThread.heading}</figcaption>
      <ol>
        {messageThread.messages.map(({ when, what }) => (
          <li className="sheet" key={when}>
            <span className="lettering">{when}</span>
            <p>{what}</p>
          </li>
        ))}
      </ol>
    </figure>
  );
}
