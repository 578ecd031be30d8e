import { Dimension, Drawing, Part } from "../pens.tsx";

export function LeadsBefore() {
  return (
    <Drawing
      id="leads-before"
      height={340}
      title="Lead intake today"
      description="A call missed at 7:40 in the evening goes to voicemail, becomes a note on the dash, and is returned the next day at noon, 16 hours later. By then the caller has hired someone else."
    >
      <path className="route" d="M84 90v52H180M292 142h42v38M334 236v24" />
      <path className="hidden-line" d="M264 288H172" />
      <Part x={14} y={34} width={140} label={["Missed call", "7:40 pm"]} height={56} />
      <Part x={180} y={120} width={112} label="Voicemail" />
      <Part x={272} y={180} width={124} height={56} label={["Note on", "the dash"]} />
      <Part x={264} y={260} width={140} height={56} label={["Call back", "noon"]} />
      <Part
        x={14}
        y={260}
        width={158}
        height={56}
        label={["Hired someone", "else"]}
        tone="hidden"
      />
      <Dimension from={154} to={404} at={62} reach={[63, 250]} label="16 hours" />
    </Drawing>
  );
}

export function LeadsAfter() {
  return (
    <Drawing
      id="leads-after"
      height={340}
      title="Lead intake after automation"
      description="Missed call, web form and text run into one line. A reply leaves in under 60 seconds, three questions are asked, and the lead becomes either a visit in the calendar or a call for the owner."
    >
      <path className="route" d="M138 60h24v80M138 140h110M138 220h24v-80M326 162v40M326 246v32" />
      <path className="route" d="M248 224h-44v76" />
      <Part x={14} y={38} width={124} label="Missed call" />
      <Part x={14} y={118} width={124} label="Web form" />
      <Part x={14} y={198} width={124} label="Text" />
      <circle className="solid-safety" cx="176" cy="140" r="7" />
      <Part x={248} y={118} width={158} label="Reply sent" tone="chalk" />
      <Part x={248} y={202} width={158} label="Three questions" />
      <Part x={248} y={278} width={158} label="Visit booked" tone="safety" />
      <Part x={98} y={278} width={130} label="Owner calls" />
      <Dimension from={176} to={248} at={66} reach={[126, 110]} label="under 60 s" />
    </Drawing>
  );
}
