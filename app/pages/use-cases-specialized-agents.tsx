import { specializedAgents } from "#content/use-cases/specialized-agents.ts";
import { ClearancesAfter, ClearancesBefore } from "../drawings/use-cases/specialized-agents.tsx";
import { BookingButton } from "../scheduling/booking-button.tsx";
import { Breadcrumb } from "../sections/breadcrumb.tsx";
import { ClosingCall } from "../sections/closing-call.tsx";
import { Masthead } from "../sections/masthead.tsx";
import { Anatomy } from "../sections/specialized-agents/anatomy.tsx";
import { BuildSteps } from "../sections/specialized-agents/build-steps.tsx";
import { FiguresAndResearch } from "../sections/specialized-agents/figures-and-research.tsx";
import { BeforeAndAfter } from "../sections/use-case/before-and-after.tsx";
import { Benefits } from "../sections/use-case/benefits.tsx";
import { Cost } from "../sections/use-case/cost.tsx";
import { crumbsOfUseCase } from "../sections/use-case/crumbs-of-use-case.ts";
import { Example } from "../sections/use-case/example.tsx";
import { headOfUseCase } from "../sections/use-case/head-of-use-case.ts";
import { HeadedText } from "../sections/use-case/headed-text.tsx";
import { Outlook } from "../sections/use-case/outlook.tsx";
import { Problems } from "../sections/use-case/problems.tsx";
import { Today } from "../sections/use-case/today.tsx";
import type { Route } from "./+types/use-cases-specialized-agents";
import "../sections/breadcrumb.css";
import "../sections/use-case/use-case.css";
import "../sections/specialized-agents/specialized-agents.css";

export function meta({ matches }: Route.MetaArgs) {
  return headOfUseCase(specializedAgents, matches);
}

export default function SpecializedAgentsPage() {
  const { heading, lede, drawing, closing } = specializedAgents;
  return (
    <>
      <Breadcrumb crumbs={crumbsOfUseCase(specializedAgents)} />
      <Masthead heading={heading} lede={lede} />
      <BeforeAndAfter drawing={drawing} before={<ClearancesBefore />} after={<ClearancesAfter />} />
      <Anatomy {...specializedAgents.anatomy} />
      <Today {...specializedAgents.today} />
      <Problems {...specializedAgents.problems} />
      <Cost {...specializedAgents.cost} />
      <Benefits {...specializedAgents.benefits} />
      <BuildSteps {...specializedAgents.build} />
      <section className="wrap edge">
        <HeadedText {...specializedAgents.edge} />
      </section>
      <FiguresAndResearch {...specializedAgents} />
      <Example {...specializedAgents.example} />
      <Outlook {...specializedAgents.outlook} />
      <ClosingCall heading={closing.heading} text={closing.text}>
        <BookingButton variant="ink">{closing.action}</BookingButton>
      </ClosingCall>
    </>
  );
}
