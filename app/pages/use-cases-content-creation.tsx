import { contentCreation } from "#content/use-cases/content-creation.ts";
import {
  ContactSheet,
  ContentCreationAfter,
  ContentCreationBefore,
} from "../drawings/use-cases/content-creation.tsx";
import { metaOfUseCase, UseCasePage } from "../sections/use-case/use-case-page.tsx";

export const meta = metaOfUseCase(contentCreation);

export default function ContentCreationPage() {
  return (
    <UseCasePage
      useCase={contentCreation}
      before={<ContentCreationBefore />}
      after={<ContentCreationAfter />}
      evidence={<ContactSheet />}
    />
  );
}
