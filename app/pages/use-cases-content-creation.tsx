import { contentCreation } from "#content/use-cases/content-creation.ts";
import { ContactSheetFrames } from "../drawings/use-cases/contact-sheet.tsx";
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
