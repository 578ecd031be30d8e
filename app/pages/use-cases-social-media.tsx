import { socialMedia } from "#content/use-cases/social-media.ts";
import { SocialMediaAfter, SocialMediaBefore } from "../drawings/use-cases/social-media.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import { Benefits } from "../sections/use-case/benefits.tsx";
import { Cost } from "../sections/use-case/cost.tsx";
import { Example } from "../sections/use-case/example.tsx";
import { FirstNinetyDays } from "../sections/use-case/first-ninety-days.tsx";
import { headOfUseCase } from "../sections/use-case/head-of-use-case.ts";
import { Outlook } from "../sections/use-case/outlook.tsx";
import { ProblemsAndFigures } from "../sections/use-case/problems-and-figures.tsx";
import { Today } from "../sections/use-case/today.tsx";
import { UseCasePage } from "../sections/use-case/use-case-page.tsx";
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
