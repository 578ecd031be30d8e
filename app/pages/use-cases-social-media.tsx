import { socialMedia } from "#content/use-cases/social-media.ts";
import { SocialMediaAfter, SocialMediaBefore } from "../drawings/use-cases/social-media.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import {
  Benefits,
  Cost,
  Example,
  FirstNinetyDays,
  headOfUseCase,
  Outlook,
  ProblemsAndFigures,
  Today,
  UseCasePage,
} from "../sections/use-case/use-case-page.tsx";
import type { Route } from "./+types/use-cases-social-media";
import "../sections/use-case/forms/posting-week.css";

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
    >
      <Today {...socialMedia.today} form="posting-week" />
      <ProblemsAndFigures problems={socialMedia.problems} figures={socialMedia.figures} />
      <Benefits {...socialMedia.benefits} />
      <Cost {...socialMedia.cost} />
      <Example {...socialMedia.example} />
      <FirstNinetyDays {...socialMedia.firstNinetyDays} />
      <Outlook {...socialMedia.outlook} />
    </UseCasePage>
  );
}
