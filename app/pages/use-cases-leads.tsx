import { leads } from "#content/use-cases/leads.ts";
import { Ground, missedCall, phone, pickup } from "../drawings/lead-intake.tsx";
import { Dimension, Draw, Drawing, dot, Note } from "../drawings/pens.tsx";
import { Telephone } from "../drawings/telephone.tsx";
import { metaOfUseCase, pageOfUseCase } from "../sections/use-case/use-case-page.tsx";

export const meta = metaOfUseCase(leads);

export default pageOfUseCase(leads, {
  before: <Before />,
  after: <Telephone />,
});

function Before() {
  return (
    <Drawing
      id="leads-before"
      height={372}
      title="Lead intake today"
      description="A call missed at 7:40 PM goes to voicemail, becomes a note on the truck’s dash, and is returned at noon, 16 hours later. The caller has hired someone else."
    >
      <Draw
        route="M37 120v49h25M81 180v55h157M268 212v-20h109v-72"
        hidden="M396 120v168M260 300l76-36 76 36M268 297v49h136v-49"
      />
      <Draw x={20} y={64} {...missedCall} />
      <Note x={64} y={88} text="Missed call" />
      <Note x={64} y={108} text="7:40 PM" />
      <Draw
        x={60}
        y={158}
        part="M2 11a9 9 0 1 1 18 0 9 9 0 1 1-18 0m20 0a9 9 0 1 1 18 0 9 9 0 1 1-18 0M11 20h20"
      />
      <Note x={112} y={174} text="Voicemail" />
      <Ground y={346} width={420} />
      <Draw x={92} y={272} {...pickup} />
      <Draw line="m246 256-44 46" ink={dot(202, 302, 4)} />
      <Draw
        x={238}
        y={214}
        safety="M0 0h56v42H0z"
        line="M8 14c6-6 8 6 14 0s8 4 14 0 6 2 10-1M8 28c5-5 8 5 13 0s7 3 11 0"
      />
      <Note x={304} y={232} text="note on" />
      <Note x={304} y={251} text="the dash" />
      <Draw x={360} y={64} {...phone()} route="m10 42 14-16m-9 0h9v9" />
      <Note x={350} y={88} textAnchor="end" text="Call back" />
      <Note x={350} y={108} textAnchor="end" text="noon" />
      <Note x={336} y={314} textAnchor="middle" text="hired" />
      <Note x={336} y={333} textAnchor="middle" text="someone else" />
      <Dimension from={37} to={377} at={42} reach={58} label="16 hours" />
    </Drawing>
  );
}
