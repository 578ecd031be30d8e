import { socialMedia } from "#content/use-cases/social-media.ts";
import { SocialMediaAfter, SocialMediaBefore } from "../figures/use-cases/social-media.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import { headOfUseCase } from "../sections/use-case/head-of-use-case.ts";
import { UseCasePage } from "../sections/use-case/use-case-page.tsx";
import type { Route } from "./+types/use-cases-social-media";

export function meta({ matches }: Route.MetaArgs) {
  return headOfUseCase(socialMedia, matches);
}

export default function SocialMediaPage() {
  return (
    <UseCasePage
      useCase={socialMedia}
      before={<SocialMediaBefore />}
      after={<SocialMediaAfter />}
      action={<BookingButton variant="ink">{socialMedia.closing.action}</BookingButton>}
    />
  );
}
