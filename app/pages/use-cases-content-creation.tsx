import { contentCreation } from "#content/use-cases/content-creation.ts";
import {
  ContentCreationAfter,
  ContentCreationBefore,
} from "../drawings/use-cases/content-creation.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import {
  Benefits,
  Cost,
  FiguresAndExample,
  headOfUseCase,
  Outlook,
  Problems,
  Today,
  UseCasePage,
} from "../sections/use-case/use-case-page.tsx";
import type { Route } from "./+types/use-cases-content-creation";
import "../sections/use-case/forms/contact-sheet.css";

export function meta({ matches }: Route.MetaArgs) {
  return headOfUseCase(contentCreation, matches);
}

export default function ContentCreationPage() {
  return (
    <UseCasePage
      useCase={contentCreation}
      before={<ContentCreationBefore />}
      after={<ContentCreationAfter />}
      action={<BookingButton variant="ink">{contentCreation.closing.action}</BookingButton>}
    >
      <Today {...contentCreation.today} />
      <Problems {...contentCreation.problems} />
      <Cost {...contentCreation.cost} />
      <Benefits {...contentCreation.benefits} />
      <FiguresAndExample
        figures={contentCreation.figures}
        example={contentCreation.example}
        form="contact-sheet"
      >
        <ContactSheetFrames />
      </FiguresAndExample>
      <Outlook {...contentCreation.outlook} />
    </UseCasePage>
  );
}

const frames = Array.from({ length: 12 }, (_, index) => ({
  x: 8 + (index % 6) * 92,
  y: 14 + Math.floor(index / 6) * 84,
}));
const before = 4;

/** A month's twelve pieces as a contact sheet; the first four existed before. */
function ContactSheetFrames() {
  return (
    <svg className="frames" viewBox="0 0 560 182" aria-hidden="true">
      {frames.map(({ x, y }, index) => (
        <svg key={`${x} ${y}`} x={x} y={y} aria-hidden="true">
          <rect width="84" height="70" />
          <path d="M16 52V34l26-17 26 17v18z" />
          {index < before && <path className="tick" d="m56 54 8 9 13-19" />}
        </svg>
      ))}
    </svg>
  );
}
