import { contentCreation } from "#content/use-cases/content-creation.ts";
import {
  ContactSheet,
  ContentCreationAfter,
  ContentCreationBefore,
} from "../drawings/use-cases/content-creation.tsx";
import { BeforeAndAfter, headOfUseCase, UseCasePage } from "../sections/use-case/use-case-page.tsx";
import type { Route } from "./+types/use-cases-content-creation";

export function meta({ matches }: Route.MetaArgs) {
  return headOfUseCase(contentCreation, matches);
}

export default function ContentCreationPage() {
  return (
    <UseCasePage
      useCase={contentCreation}
      drawing={
        <BeforeAndAfter
          drawing={contentCreation.drawing}
          before={<ContentCreationBefore />}
          after={<ContentCreationAfter />}
        />
      }
      evidence={
        <div className="wrap">
          <ContactSheet />
        </div>
      }
    />
  );
}
