import { about } from "#content/pages/about.ts";
import { BookingButton } from "../scheduling/booking-button.tsx";
import {
  FoundingTeam,
  Results,
  WhyWeExist,
  WorkingTogether,
} from "../sections/about/about-sections.tsx";
import { ClosingCall } from "../sections/closing-call.tsx";
import { Informed } from "../sections/informed.tsx";
import { Masthead } from "../sections/masthead.tsx";
import { Questions } from "../sections/questions.tsx";
import { faqStructuredData } from "../seo/faq-structured-data.ts";
import { organizationStructuredData } from "../seo/organization-structured-data.ts";
import { pageMeta } from "../seo/page-meta.ts";
import { rootFacts } from "../seo/root-facts.ts";
import { Actions } from "../ui/actions.tsx";
import type { Route } from "./+types/about";
import "../sections/about/about.css";
import "../ui/actions.css";

export function meta({ matches }: Route.MetaArgs) {
  const { settings } = rootFacts(matches);
  return pageMeta(
    {
      ...about.head,
      structuredData: [
        organizationStructuredData(settings),
        faqStructuredData(about.questions.items),
      ],
    },
    settings,
  );
}

export default function AboutPage() {
  return (
    <>
      <Masthead heading={about.heading} lede={about.lede}>
        <Actions>
          <BookingButton />
        </Actions>
      </Masthead>
      <WhyWeExist />
      <WorkingTogether />
      <Informed {...about.informed} />
      <FoundingTeam />
      <Results />
      <Questions {...about.questions} />
      <ClosingCall heading={about.closing.heading} text={about.closing.text}>
        <BookingButton variant="ink" />
      </ClosingCall>
    </>
  );
}
