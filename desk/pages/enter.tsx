import { startAuthentication, startRegistration, WebAuthnError } from "@simplewebauthn/browser";
import { type SubmitEvent, useEffect, useState } from "react";
import { useLoaderData, useSearchParams } from "react-router";
import { deskContext, type PageArgs } from "../desk-context.ts";
import { Field } from "../ui.tsx";

export function loader({ context }: PageArgs) {
  return { siteName: context.get(deskContext).config.siteName };
}

type Asked = {
  options: Parameters<typeof startRegistration>[0]["optionsJSON"] &
    Parameters<typeof startAuthentication>[0]["optionsJSON"];
  problem?: string;
};

async function post(path: string, body: object): Promise<Asked> {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  const asked = await answer.json();
  if (asked.problem) throw new Refused(asked.problem);
  return asked;
}

class Refused extends Error {}

function wordsOf(error: unknown): string {
  if (error instanceof Refused) return error.message;
  if (error instanceof WebAuthnError && error.code.endsWith("PREVIOUSLY_REGISTERED")) {
    return "This device has a passkey for this desk already. Sign in with it.";
  }
  if (error instanceof Error && error.name === "NotAllowedError") {
    return "Nothing was done: it was cancelled, or this device has no passkey for this desk.";
  }
  return "That did not work. Look at your connection, and try again.";
}

/** The page to sign in, or to make a passkey by a link, whose secret stays out of every log behind the `#`. */
export default function Enter() {
  const { siteName } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const [link, setLink] = useState<string | null>(null);
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  useEffect(() => setLink(window.location.hash.slice(1)), []);

  async function enter(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isBusy) return;
    const device = String(new FormData(event.currentTarget).get("device") ?? "");
    setBusy(true);
    setProblem("");
    try {
      const { options: optionsJSON } = await post("/enter/ask", { link });
      const response = await (link
        ? startRegistration({ optionsJSON })
        : startAuthentication({ optionsJSON }));
      await post("/enter/answer", { link, device, response });
      const { origin } = window.location;
      const to = new URL(search.get("to") ?? "/", origin);
      window.location.replace(to.origin === origin ? to : "/");
    } catch (error) {
      setProblem(wordsOf(error));
      setBusy(false);
    }
  }

  const title = link ? `Welcome to ${siteName}'s desk` : `${siteName}'s desk`;
  return (
    <form className="stack" onSubmit={enter}>
      <title>{title}</title>
      <h1>{title}</h1>
      {link ? (
        <>
          <p>
            A passkey is how this device knows you, by your fingerprint, your face or its own code.
            There is no password.
          </p>
          <Field
            label="Name of this device"
            help="So that you know it again, for example Ann’s phone."
          >
            <input name="device" required maxLength={60} />
          </Field>
        </>
      ) : (
        <p>
          Sign in with the passkey of this device. If it has none, open the desk where you have one,
          and make a link for this device under People.
        </p>
      )}
      <div role="alert">{problem && <p className="notice wrong">{problem}</p>}</div>
      <button className="button main" type="submit" aria-disabled={isBusy || link === null}>
        {link ? "Make a passkey" : "Sign in"}
      </button>
      <noscript>
        <p>A passkey needs scripts.</p>
      </noscript>
    </form>
  );
}
