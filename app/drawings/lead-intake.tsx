import { Dimension, Draw, Drawing, Label, Note, type Place, type Shape } from "./pens.tsx";

const words = {
  title: "Lead intake, after automation",
  description:
    "A missed call, a web form and a text run into one line. A reply goes out in under 60 seconds and asks three questions. A visit is booked, or the owner calls.",
};

const webForm: Shape = {
  part: "M0 0h44v46H0z",
  line: "M0 9h44M6 15h32v6H6zm0 10h32v6H6zM3 5h2m2 0h2",
  chalk: "M24 36h14v6H24z",
};

const textBubble: Shape = {
  part: "M3 0h38q3 0 3 3v24q0 3-3 3H20l-9 9v-9H3q-3 0-3-3V3q0-3 3-3z",
  line: "M8 10h28M8 18h20",
};

/** CSS shows one of two arrangements, for wide and narrow screens. */
export function LeadIntake() {
  return (
    <div className="arranged">
      <div>
        <WideLeadIntake />
      </div>
      <div>
        <NarrowLeadIntake />
      </div>
    </div>
  );
}

function WideLeadIntake() {
  return (
    <Drawing id="lead-intake" height={392} {...words}>
      <Draw route="M166 61h16v135M166 124H296M166 196h16M350 214v60M350 242H112v80" />
      <Draw x={12} y={30} {...missedCall} />
      <Note x={53} y={66} text="Missed call" />
      <Draw x={14} y={100} {...webForm} />
      <Note x={66} y={129} text="Web form" />
      <Draw x={14} y={178} {...textBubble} />
      <Note x={66} y={201} text="Text" />
      <circle className="solid-safety" cx="182" cy="124" r="7" />
      <Dimension from={182} to={296} at={48} reach={[56, 52]} label="under 60 s" />
      <Conversation x={296} y={22} />
      <Note x={290} y={176} textAnchor="end" text="3 answers" />
      <Ground y={372} width={420} />
      <Draw x={20} y={298} {...pickup} />
      <circle className="solid-chalk" cx="112" cy="322" r="5" />
      <Note x={126} y={232} text="owner calls" />
      <Draw x={266} y={332} {...kitchenTable} />
      <BookedWeek x={294} y={272} />
      <Note x={284} y={304} textAnchor="end" text="visit booked" />
    </Drawing>
  );
}

function NarrowLeadIntake() {
  return (
    <Drawing id="lead-intake-narrow" width={328} height={514} {...words}>
      <Ground y={478} width={328} />
      <g transform="translate(14 10)">
        <Draw route="M60 82v24H248V82M158 82v24M226 106v30M226 328v40M226 348H96v70" />
        <Draw x={43} y={5} {...missedCall} />
        <Note x={60} y={76} textAnchor="middle" text="Missed call" />
        <Draw x={136} y={11} {...webForm} />
        <Note x={158} y={76} textAnchor="middle" text="Web form" />
        <Draw x={226} y={17} {...textBubble} />
        <Note x={248} y={76} textAnchor="middle" text="Text" />
        <circle className="solid-safety" cx="226" cy="106" r="7" />
        <Draw dimension="M166 136H112M122 106v30" ink="m122 106-3.5 9h7zm0 30-3.5-9h7z" />
        <Note x={108} y={127} textAnchor="end" text="under 60 s" />
        <Conversation x={170} y={136} />
        <Note x={162} y={290} textAnchor="end" text="3 answers" />
        <Draw x={2} y={394} {...pickup} />
        <circle className="solid-chalk" cx="96" cy="418" r="5" />
        <Note x={20} y={338} text="owner calls" />
        <Draw x={156} y={428} {...kitchenTable} />
        <BookedWeek x={170} y={368} />
        <Note x={226} y={493} textAnchor="middle" text="visit booked" />
      </g>
    </Drawing>
  );
}

/** 112 by 192. */
function Conversation({ x, y }: Place) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <Draw {...phone(112, 192)} chalk="M24 56h80v48H24z" />
      <Draw
        line="M10 26h58M10 36h40M10 122h12v12H10zm0 22h12v12H10zm0 22h12v12H10zM30 128h62M30 150h50M30 172h56"
        route="m12 128 4 4 8-10m-12 28 4 4 8-10m-12 28 4 4 8-10"
      />
      <Label className="on-chalk" x="64" y="76" textAnchor="middle" text="Reply" />
      <Label className="on-chalk" x="64" y="94" textAnchor="middle" text="sent" />
    </g>
  );
}

/** 147 by 74. */
export const pickup: Shape = {
  part: "M4 34h74V15q0-4 4-4h22l18 23h18q7 1 7 8v18h-15a14 14 0 0 0-28 0H48a14 14 0 0 0-28 0H4zM22 62a12 12 0 1 1 24 0 12 12 0 1 1-24 0m84 0a12 12 0 1 1 24 0 12 12 0 1 1-24 0",
  line: "M0 2h112M0 8h112M10 2v6m14-6v6m14-6v6m14-6v6m14-6v6m14-6v6m14-6v6m14-6v6M8 8v26m62-26v26m16-17h14l13 17H86zm-4 17v24m6-16h8m45 0h6v7h-6zM30 62a4 4 0 1 1 8 0 4 4 0 1 1-8 0m84 0a4 4 0 1 1 8 0 4 4 0 1 1-8 0",
};

/** 140 by 40. */
const kitchenTable: Shape = { part: "M8 7h9l-3 33H9zm115 0h9l-1 33h-5zM0 0h140v7H0z" };

export function phone(width = 34, height = 56): Shape {
  return {
    part: `M6 0h${width - 12}a6 6 0 0 1 6 6v${height - 12}a6 6 0 0 1-6 6H6a6 6 0 0 1-6-6V6a6 6 0 0 1 6-6z`,
    line: `M${width / 2 - 5} 6h10M0 12h${width}`,
  };
}

export const missedCall: Shape = { ...phone(), cross: "m7 27 10 10 10-10m-8 0h8v8" };

export function Ground({ y, width }: { y: number; width: number }) {
  const hatching = "m51-10-9 10".repeat(width / 42);
  return <Draw part={`M-2 ${y}h${width + 4}v1H-2z`} line={`M-9 ${y + 10}${hatching}`} />;
}

/** 112 by 60; days count from Monday's 0. */
export function BookedWeek({ x, y, day = 3 }: Place & { day?: number | null }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <Draw
        part="M0 0h112v60H0z"
        safety={day === null ? "" : `M${day * 22 + 1} 26h22v22h-22z`}
        line="M0 20h112M23 20v40m22-40v40m22-40v40m22-40v40"
      />
      <Label x="12 34 56 78 100" y="15" textAnchor="middle" text="MTWTF" />
    </g>
  );
}
