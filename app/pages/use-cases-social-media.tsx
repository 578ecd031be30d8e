import { socialMedia } from "#content/use-cases/social-media.ts";
import {
  PostingWeek,
  SocialMediaAfter,
  SocialMediaBefore,
} from "../drawings/use-cases/social-media.tsx";
import { metaOfUseCase, UseCasePage } from "../sections/use-case/use-case-page.tsx";

export const meta = metaOfUseCase(socialMedia);

export default function SocialMediaPage() {
  return (
    <UseCasePage
      useCase={socialMedia}
      before={<SocialMediaBefore />}
      after={<SocialMediaAfter />}
      evidence={<PostingWeek />}
    />
  );
}
