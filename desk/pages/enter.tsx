import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from "@simplewebauthn/browser";
import { type SubmitEvent, useEffect, useState } from "react";
import { useLoaderData, useSearchParams } from "react-router";
import { deskContext, type PageArgs } from "../desk-context.ts";
import { Field } from "../ui.tsx";

export function loader({ context }: PageArgs) {
  return { siteName: context.get(deskContext).config.siteName };
}

async function post(path: string, body: object): Promise<{ options: never }> {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  const asked = await answer.json();
  if (asked.problem) throw new Refused(asked.problem);
  return asked;
}

class Refused extends Error {}

const needsLock =
  "This device or key has no PIN, fingerprint or face set up, which a passkey needs. Set one up in its settings, and try again.";

function wordsOf(error: unknown, isMaking: boolean): string {
  if (error instanceof Refused) return error.message;
  if (error instanceof WebAuthnError) {
    if (/USER_VERIFICATION|DISCOVERABLE/.test(error.code)) return needsLock;
    if (/PREVIOUSLY_REGISTERED/.test(error.code))
      return "This device has a passkey for this desk already. Sign in with it.";
  }
  if (error instanceof Error && error.name === "NotAllowedError") {
    return isMaking
      ? "No passkey was made: it was cancelled, or this device or key has no PIN, fingerprint or face set up."
      : "Nothing was done: it was cancelled, or this device has no passkey for this desk.";
  }
  return "That did not work. Look at your connection, and try again.";
}

const appsWindow =
  "This window belongs to an app, or its browser is too old: it can’t show or make a passkey. Open the link in Safari, Chrome, Edge or Firefox instead.";

const making =
  "A passkey is how this device knows you, by your fingerprint, your face or its own code. There is no password.";
const showingAgain =
  "You signed in more than an hour ago. Before somebody is erased, data is taken away or brought back, or others are let in, show your passkey again.";
const signingIn =
  "Sign in with the passkey of this device. If it has none, open the desk where you have one, and make a link for this device under People.";

/** The page to sign in, or to make a passkey by a link, whose secret stays out of every log behind the `#`. */
export default function Enter() {
  const { siteName } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const [link, setLink] = useState<string | null>(null);
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    setLink(window.location.hash.slice(1));
    if (!browserSupportsWebAuthn()) setProblem(appsWindow);
  }, []);

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
      setProblem(wordsOf(error, Boolean(link)));
      setBusy(false);
    }
  }

  const title = link ? `Welcome to ${siteName}'s desk` : `${siteName}'s desk`;
  return (
    <form className="stack" onSubmit={enter}>
      <title>{title}</title>
      <h1>{title}</h1>
      <p>{link ? making : search.has("again") ? showingAgain : signingIn}</p>
      {link && (
        <Field
          label="Name of this device"
          help="So that you know it again, for example Ann’s phone."
        >
          <input name="device" required maxLength={60} />
        </Field>
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
