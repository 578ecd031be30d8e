import { type ReactNode, useState } from "react";
import { Form } from "react-router";
import { amount } from "#content/amounts.ts";
import { dayAhead } from "#content/toronto-time.ts";
import { Field, Submit } from "../ui.tsx";
import { Notes } from "./editor-parts.tsx";

type SheetProps = {
  title: string;
  version?: number;
  isPublished: boolean;
  recipients: number;
  /** Why nothing can be published or sent, and what keeps it from being mailed. */
  problems: string[];
  missing: string[];
  notes: string[];
  today: string;
  monday: string;
  testTo: string;
  /** Without an hour, it was not kept. */
  plan?: { hour: string | null; audience: string | null } | undefined;
};

/** Publishes a draft, or sends an issue: now or at an hour, by mail or on the site alone. */
export function Sheet(sheet: SheetProps) {
  const { title, version, isPublished, recipients, missing, monday, today, plan } = sheet;
  const [when, setWhen] = useState(plan?.hour ? "hour" : plan ? "unchosen" : "");
  const [at, setAt] = useState(plan?.hour ?? monday);
  const [send, setSend] = useState(isPublished || plan?.audience ? "yes" : "no");
  const [seen, setSeen] = useState(version);
  const whom = amount(recipients, "subscriber");
  const isChanged = version !== seen;
  const whyNot = [...sheet.problems, ...(isPublished ? missing : [])];
  if (when === "unchosen") whyNot.push("Choose when.");
  if (isChanged) whyNot.push("The draft was changed after you opened this.");
  const isMailed = send === "yes";
  const publishing = isMailed ? `Publish and mail to ${recipients}` : "Publish now, mail nobody";
  const deed = isPublished ? `Send to ${whom}` : when ? "Plan it" : publishing;
  const asking = `${isPublished ? "Send" : "Publish"} “${title}” now${isPublished ? " to" : ", and send it to"} ${whom}? A send can be paused, not called back.`;
  return (
    <Form method="post" className="stack">
      {seen !== undefined && <input type="hidden" name="version" value={seen} />}
      {!isPublished && (
        <Choices
          {...{ legend: "By mail", name: "send", chosen: send, onChoose: setSend }}
          of={[
            ["yes", `To ${whom}`, recipients === 0 || missing.length > 0],
            ["no", "To nobody for now. It can be sent later."],
          ]}
        >
          {recipients === 0 && <small>Nobody has confirmed a subscription yet.</small>}
          <Notes notes={missing} />
        </Choices>
      )}
      {(whyNot.length === 0 || !isPublished) && (
        <Choices
          {...{ legend: "When", name: "when", chosen: when, onChoose: setWhen }}
          of={[
            ["", "Now"],
            [monday, `Monday, 7:00 a.m., ${dayAhead(monday.slice(0, 10), today)}`],
            ["hour", "At another hour"],
          ]}
        >
          {when === "hour" && (
            <Field
              label="Day and hour, in Toronto’s time"
              help={at && dayAhead(at.slice(0, 10), today)}
            >
              <input
                {...{ type: "datetime-local", name: "at", required: true, value: at }}
                onChange={(event) => setAt(event.target.value)}
              />
            </Field>
          )}
          {when !== "" && !isPublished && <small>With the text that the draft has by then.</small>}
        </Choices>
      )}
      <div className="row">
        <Field label="Send yourself a test first">
          <input type="email" name="to" defaultValue={sheet.testTo} />
        </Field>
        <Submit intent="test" deed="Send the test" />
      </div>
      <Notes notes={sheet.notes} />
      <div className="actions">
        {whyNot.length === 0 ? (
          <Submit
            intent="publish"
            kind="main"
            sure={when === "" && isMailed ? asking : undefined}
            deed={plan?.hour && when ? "Change the plan" : deed}
          />
        ) : (
          <button type="button" className="button main" aria-disabled aria-describedby="why-not">
            {deed}
          </button>
        )}
        <p id="why-not" className={when === "unchosen" ? "" : "mistake"}>
          {whyNot.join(" ")}
        </p>
        {isChanged && (
          <button type="button" className="button" onClick={() => setSeen(version)}>
            Go on with its text as it is now
          </button>
        )}
      </div>
    </Form>
  );
}

type ChoicesProps = {
  legend: string;
  name: string;
  /** Without it, the form alone knows what is chosen. */
  chosen?: string;
  onChoose?: (value: string) => void;
  of: [value: string, words: string, isOff?: boolean][];
  children?: ReactNode;
};

export function Choices({ legend, name, chosen, onChoose, of, children }: ChoicesProps) {
  return (
    <fieldset className="choice">
      <legend>{legend}</legend>
      {of.map(([value, words, disabled]) => (
        <label key={value}>
          <input
            {...{ type: "radio", name, value, disabled }}
            {...(onChoose && { checked: chosen === value, onChange: () => onChoose(value) })}
          />
          <span>{words}</span>
        </label>
      ))}
      {children}
    </fieldset>
  );
}
