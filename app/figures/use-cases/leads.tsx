import { Dimension, Drawing, Part } from "../pens.tsx";

export function LeadsBefore() {
  return (
    <Drawing
      id="leads-before"
      height={330}
      title="Lead intake today"
      description="A call missed at 7:40 in the evening goes to voicemail, becomes a note on the dash, and is returned the next day at noon. By then the caller has hired someone else."
    >
      <path className="route" d="M84 78v42H226M226 120h110v62M336 226v44" />
      <path className="hidden-line" d="M274 270H166" />
      <Part x={14} y={34} width={140} label={["Missed call", "7:40 pm"]} height={56} />
      <Part x={170} y={98} width={112} label="Voicemail" />
      <Part x={256} y={182} width={150} label="Note on the dash" />
      <Part x={274} y={248} width={132} label="Call back" />
      <Part
        x={14}
        y={242}
        width={152}
        height={56}
        label={["Hired someone", "else"]}
        tone="hidden"
      />
      <Dimension from={170} to={406} at={56} reach={90} label="16 hours" />
    </Drawing>
  );
}

export function LeadsAfter() {
  return (
    <Drawing
      id="leads-after"
      height={330}
      title="Lead intake after automation"
      description="Missed call, web form and text run into one line. A reply leaves in under 60 seconds, three questions are asked, and the lead becomes either a visit in the calendar or a call for the owner."
    >
      <path className="route" d="M128 56h28v80M128 136h142M128 216h28v-80M338 158v38M338 240v32" />
      <Part x={14} y={34} width={114} label="Missed call" />
      <Part x={14} y={114} width={114} label="Web form" />
      <Part x={14} y={194} width={114} label="Text" />
      <circle className="solid-safety" cx="186" cy="136" r="7" />
      <Part x={270} y={114} width={136} label="Reply sent" tone="chalk" />
      <Part x={270} y={196} width={136} label="Three questions" />
      <Part x={270} y={272} width={136} label="Visit booked" tone="safety" />
      <path className="route" d="M270 218h-66v76" />
      <Part x={128} y={272} width={116} label="Owner calls" />
      <Dimension from={186} to={270} at={62} reach={122} label="under 60 s" />
    </Drawing>
  );
}
