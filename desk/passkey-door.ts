import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { Db } from "#db/tables.ts";
import { createNetworkLimiter } from "#server/api/limits.ts";
import {
  addPasskey,
  endSession,
  findLink,
  findPasskey,
  findSession,
  listDeskPeople,
  sessionMs,
  signIn,
} from "#settings/desk-people.ts";
import { type DoorEnv, goTo, page } from "./door.ts";

const cookie = "__Host-desk";

/** A question to a passkey is answered within so long, and once. */
const challengeMs = 5 * 60_000;
const challengesMax = 1_000;

/** ES256, RS256 and EdDSA, which every authenticator has one of; asking Node for more makes it warn. */
const supportedAlgorithmIDs = [-7, -257, -8];

/** Each sign-in asks twice. */
const triesPerNetwork = { count: 30, windowSeconds: 600 };

const usedLink = "This link has been used, or is more than a day old. Ask for a new one.";
const notKnown = "The desk doesn't know this passkey, or it was too late. Try again.";

type Asked = Awaited<ReturnType<typeof readAsked>>;

async function readAsked({ req }: Context) {
  const { link, device, response } = Object(await req.json().catch(() => null));
  const text = (given: unknown) => (typeof given === "string" ? given : "");
  return { link: text(link), device: text(device), response: response as unknown };
}

type PasskeyDoorProps = {
  db: Db;
  /** The desk's origin as browsers have it. */
  address: string;
  siteName: string;
  now: () => Date;
  /** The network address that a request comes from, as far as the proxy says it. */
  addressOf: (context: Context) => string | null;
};

/**
 * Lets in who was invited, by passkey. The page `/enter` is everybody's; a session is a row, so that it outlives the
 * process and can be ended from elsewhere.
 */
export function createPasskeyDoor({ db, address, siteName, now, addressOf }: PasskeyDoorProps) {
  const relyingParty = new URL(address).hostname;
  // Three hundred modules, which a desk that opens by a link never loads.
  const loading = import("@simplewebauthn/server");
  const challenges = new Map<string, { link: string; endsAt: number }>();
  const waitSeconds = createNetworkLimiter(triesPerNetwork);

  function remember(challenge: string, link: string): void {
    const [oldest] = challenges.keys();
    if (oldest && challenges.size >= challengesMax) challenges.delete(oldest);
    challenges.set(challenge, { link, endsAt: now().getTime() + challengeMs });
  }

  /** Whether it was asked for this link, or without one; never true twice. */
  function takeChallenge(link: string) {
    return (challenge: string): boolean => {
      const asked = challenges.get(challenge);
      challenges.delete(challenge);
      return asked?.link === link && asked.endsAt > now().getTime();
    };
  }

  async function ask({ link }: Asked) {
    const webAuthn = await loading;
    if (link === "") {
      const options = await webAuthn.generateAuthenticationOptions({
        rpID: relyingParty,
        userVerification: "required",
      });
      remember(options.challenge, "");
      return { options };
    }
    const person = await findLink(db, link, now());
    if (!person) return { problem: usedLink };
    const [known] = await listDeskPeople(db, { only: person.id, now: now() });
    const options = await webAuthn.generateRegistrationOptions({
      rpName: `${siteName}: desk`,
      rpID: relyingParty,
      userName: person.name,
      userDisplayName: person.name,
      userID: new TextEncoder().encode(`desk-${person.id}`),
      attestationType: "none",
      supportedAlgorithmIDs,
      excludeCredentials: known?.devices.map(({ credential }) => ({ id: credential })) ?? [],
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    remember(options.challenge, link);
    return { options };
  }

  async function answer({ link, device, response }: Asked) {
    const webAuthn = await loading;
    const expected = {
      expectedChallenge: takeChallenge(link),
      expectedOrigin: address,
      expectedRPID: relyingParty,
      requireUserVerification: true,
    };
    if (link !== "") {
      const person = await findLink(db, link, now());
      if (!person) return { problem: usedLink };
      const made = await webAuthn
        .verifyRegistrationResponse({
          ...expected,
          supportedAlgorithmIDs,
          response: response as RegistrationResponseJSON,
        })
        .catch(() => null);
      if (!made?.verified) return { problem: notKnown };
      const { id, transports = [], ...key } = made.registrationInfo.credential;
      const passkey = { ...key, credential: id, personId: person.id, transports, device };
      const opened = await addPasskey(db, { token: link, passkey, now: now() });
      return opened ?? { problem: usedLink };
    }
    const given = response as AuthenticationResponseJSON | undefined;
    const passkey = await findPasskey(db, String(given?.id));
    if (!given || !passkey) return { problem: notKnown };
    const { credential: id, publicKey, counter } = passkey;
    const checked = await webAuthn
      .verifyAuthenticationResponse({
        ...expected,
        response: given,
        credential: { id, publicKey, counter },
      })
      .catch(() => null);
    if (!checked?.verified) return { problem: notKnown };
    const { newCounter } = checked.authenticationInfo;
    return (await signIn(db, { passkey, newCounter, now: now() })) ?? { problem: notKnown };
  }

  const tries = new Hono<DoorEnv>()
    .use(bodyLimit({ maxSize: 64 * 1024 }), async (context, next) => {
      context.header("Cache-Control", "no-store");
      const seconds = waitSeconds(addressOf(context));
      if (seconds === 0) return await next();
      context.header("Retry-After", String(seconds));
      const minutes = Math.ceil(seconds / 60);
      return context.json({ problem: `Too many tries. Wait ${minutes} min.` }, 429);
    })
    .post("/enter/ask", async (context) => {
      const asked = await ask(await readAsked(context));
      return context.json(asked, "problem" in asked ? 403 : 200);
    })
    .post("/enter/answer", async (context) => {
      const answered = await answer(await readAsked(context));
      if ("problem" in answered) return context.json(answered, 403);
      // Asked again, the passkey opens a session in place of the older one.
      const older = await findSession(db, getCookie(context, cookie) ?? "", now());
      if (older) await endSession(db, older.key);
      setCookie(context, cookie, answered.secret, {
        httpOnly: true,
        sameSite: "Strict",
        secure: true,
        path: "/",
        maxAge: sessionMs / 1_000,
      });
      return context.json({});
    });

  const door: MiddlewareHandler<DoorEnv> = async (context, next) => {
    const { method, raw } = context.req;
    const url = new URL(context.req.url);
    if (method === "POST" && /^\/enter\/(ask|answer)$/.test(url.pathname)) {
      return await tries.fetch(raw, context.env);
    }
    const secret = getCookie(context, cookie);
    const session = secret ? await findSession(db, secret, now()) : null;
    if (session) {
      const { key, ...person } = session;
      context.set("visitor", { ...person, session: key });
      return await next();
    }
    if (secret) deleteCookie(context, cookie, { path: "/", secure: true });
    const isReading = method === "GET" || method === "HEAD";
    if (isReading && url.pathname === "/enter") {
      context.set("visitor", null);
      return await next();
    }
    context.header("Cache-Control", "no-store");
    const isPage = raw.headers.get("Sec-Fetch-Dest") === "document";
    if (!isReading || !isPage) return context.text("You are not signed in.\n", 401);
    const to = url.pathname + url.search;
    // From a link in a mail or on another site, a strict cookie comes with the next request.
    if (raw.headers.get("Sec-Fetch-Site") === "cross-site") {
      return page(context, 200, "Opening the desk", goTo(to));
    }
    return context.redirect(`/enter?${new URLSearchParams({ to })}`);
  };
  return door;
}
