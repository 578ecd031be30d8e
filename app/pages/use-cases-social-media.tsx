import { socialMedia } from "#content/use-cases/social-media.ts";
import {
  PostingWeek,
  SocialMediaAfter,
  SocialMediaBefore,
} from "../drawings/use-cases/social-media.tsx";
import { BeforeAndAfter, headOfUseCase, UseCasePage } from "../sections/use-case/use-case-page.tsx";
import type { Route } from "./+types/use-cases-social-media";

export function meta({ matches }: Route.MetaArgs) {
  return headOfUseCase(socialMedia, matches);
}

export default function SocialMediaPage() {
  return (
    <UseCasePage
      useCase={socialMedia}
      drawing={
        <BeforeAndAfter
          drawing={socialMedia.drawing}
          before={<SocialMediaBefore />}
          after={<SocialMediaAfter />}
        />
      }
      evidence={
        <div className="wrap">
          <PostingWeek />
        </div>
      }
    />
  );
}
