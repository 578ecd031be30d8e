import { statfs } from "node:fs/promises";
import { connect } from "node:net";
import path, { dirname } from "node:path";
import type { ImapFlow } from "imapflow";
import { describeCauses } from "#db/describe-causes.ts";
import { connectToMailbox, folderOf } from "#newsletter/bounces/bounce-mailbox.ts";
import { createMailers, type Mailers } from "#server/create-mailers.ts";
import { type Config, siteSettings } from "#server/settings.ts";
import { formatBytes } from "../text-files.ts";

const connectTimeoutMs = 5_000;
const answerTimeoutMs = 10_000;

/** Connects and signs in to the mail server, without sending; or says where mail goes instead. */
export async function checkMail(config: Config): Promise<Finding> {
  const about = "Mail";
  const folder = path.join(config.dataDir, "mail");
  if (config.smtpUrl === null) {
    const state = isPublicSite(config.siteUrl) ? "attention" : "note";
    const message = `not sent; each mail becomes a file in ${folder}.`;
    return { about, state, message, advice: "Set SMTP_URL to send it." };
  }
  const { host } = new URL(config.smtpUrl);
  let mailers: Mailers | null = null;
  try {
    mailers = createMailers(config, siteSettings(config).url);
    await within(answerTimeoutMs, mailers.desk.verify());
    const message = `${host} takes our sign-in. Mail is from ${config.mailFrom}; messages go to ${config.contactTo}.`;
    return { about, state: "ok", message };
  } catch (error) {
    const advice = "Check SMTP_URL. Mail waits in the outbox meanwhile.";
    return { about, state: "attention", message: `${host}: ${describeCauses(error)}`, advice };
  } finally {
    mailers?.desk.close();
    mailers?.newsletter.close();
  }
}

/** Opens and closes a connection to the webhook's host; no event is sent. */
export async function checkWebhook(config: Config): Promise<Finding | null> {
  const about = "Webhook";
  if (config.newsletterWebhookUrl === null) return null;
  const url = new URL(config.newsletterWebhookUrl);
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  const fault = await tryConnect(url.hostname.replace(/^\[|\]$/g, ""), port);
  if (fault !== null) {
    const advice = "Check NEWSLETTER_WEBHOOK_URL. Events wait in the outbox meanwhile.";
    return { about, state: "attention", message: `${url.host} can't be reached: ${fault}`, advice };
  }
  const signed = config.webhookSecret === null ? "calls are not signed" : "calls are signed";
  const message = `${url.host} can be reached (no event was sent); ${signed}.`;
  return { about, state: "ok", message };
}

/** Reads one issue's id from the hosted project, as the site would. */
export async function checkHostedBackend({ hostedBackend }: Config): Promise<Finding> {
  const about = "Hosted backend";
  if (hostedBackend === null) throw new TypeError("There is no hosted backend to check.");
  const { url, anonKey } = hostedBackend;
  const { host } = new URL(url);
  try {
    const response = await fetch(`${url}/rest/v1/final_newsletters?select=id&limit=1`, {
      headers: { apikey: anonKey, authorization: `Bearer ${anonKey}` },
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    await response.body?.cancel();
    if (response.ok) return { about, state: "ok", message: `${host} gives the issues.` };
    const message = `${host} answered ${response.status} when asked for the issues.`;
    const advice = "Check BACKEND_ANON_KEY, and that the key may read final_newsletters.";
    return { about, state: "attention", message, advice };
  } catch (error) {
    const message = `${host} can't be reached: ${describeCauses(error)}`;
    return { about, state: "attention", message, advice: "Check BACKEND_URL." };
  }
}

/** Whether the site answers on its port. */
export async function checkListening({ port, host }: Config): Promise<Finding> {
  const about = "Site";
  if (port === 0) return { about, state: "note", message: "PORT is 0: any free port is taken." };
  const address = host === null || host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  const origin = `http://${address.includes(":") ? `[${address}]` : address}:${port}`;
  if ((await tryConnect(address, port)) !== null) {
    const message = `nothing listens on ${address}:${port}. Mail waits until the site runs.`;
    return {
      about,
      state: "note",
      message,
      advice: "Start it with npm start, or see docs/deploying.md.",
    };
  }
  try {
    const response = await fetch(`${origin}/readyz`, {
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    const words = await response.text();
    if (response.ok && words.trim() === "ready") {
      return { about, state: "ok", message: `runs and is ready on ${origin}.` };
    }
    const message = `something answers on ${origin}, but not as a site that is ready (${response.status}).`;
    const advice = "See the site's log, or whether another program has the port.";
    return { about, state: "attention", message, advice };
  } catch (error) {
    const message = `something listens on ${origin} but does not answer: ${describeCauses(error)}`;
    return { about, state: "attention", message };
  }
}

/** Null when a connection opens, else why it doesn't. */
function tryConnect(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: connectTimeoutMs });
    socket.once("connect", () => finish(null));
    socket.once("timeout", () => finish(`no answer within ${connectTimeoutMs / 1000} s`));
    socket.once("error", (error) => finish(describeCauses(error)));
    function finish(fault: string | null): void {
      socket.destroy();
      resolve(fault);
    }
  });
}

async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms / 1000} s`)), ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether visitors reach the site, as far as its address tells. */
export function isPublicSite(siteUrl: string | null): boolean {
  if (siteUrl === null) return false;
  const { hostname } = new URL(siteUrl);
  return !/^(localhost|127\..*|\[::1\]|.*\.(localhost|local|test|internal))$/.test(hostname);
}

/**
 * One thing that the doctor looked at. `attention`: something is broken or missing that visitors or the firm depend on.
 * `note`: worth knowing, and fine while trying things out.
 */
export type Finding = {
  about: string;
  state: "ok" | "note" | "attention";
  message: string;
  /** What to do about it, where there is something. */
  advice?: string;
};

/** Opens the bounce mailbox to read, and counts what was left in it for a person. */
export async function checkBounceMailbox({
  bounceMailbox,
}: Pick<Config, "bounceMailbox">): Promise<Finding | null> {
  if (bounceMailbox === null) return null;
  const about = "Bounce mailbox";
  const { host } = new URL(bounceMailbox.url);
  let client: ImapFlow | null = null;
  try {
    client = await connectToMailbox(bounceMailbox.url);
    await client.mailboxOpen(folderOf(bounceMailbox.url), { readOnly: true });
    const flagged = (await client.search({ seen: false, flagged: true }, { uid: true })) || [];
    const opens = `${host} opens; undelivered issues come back to ${bounceMailbox.address}.`;
    if (flagged.length === 0) return { about, state: "ok", message: opens };
    const left = `${flagged.length} ${flagged.length === 1 ? "message is" : "messages are"} flagged there: no report that could be read or proved.`;
    const advice = "Read them, and mark them as read.";
    return { about, state: "note", message: `${opens} ${left}`, advice };
  } catch (error) {
    const message = `${host} can't be read: ${wordsOf(error)}`;
    const advice = "Check BOUNCE_MAILBOX. What comes back waits there meanwhile.";
    return { about, state: "attention", message, advice };
  } finally {
    client?.close();
  }
}

/** imapflow's own message of a refused command says that it failed, and the server's words why. */
function wordsOf(error: unknown): string {
  const { message, responseText } = error as Error & { responseText?: string };
  return responseText ?? message;
}

/** Below this the database and the mail folder may soon not be written; bytes. */
const lowSpaceBytes = 500_000_000;

/** How much room is left where DATA_DIR is, or will be. */
export async function checkDisk({ dataDir }: Config): Promise<Finding> {
  const about = "Disk";
  for (let folder = dataDir; ; folder = dirname(folder)) {
    const found = await statfs(folder).catch(() => null);
    if (found === null && folder !== dirname(folder)) continue;
    if (found === null) return { about, state: "note", message: `${dataDir} can't be measured.` };
    const free = found.bavail * found.bsize;
    const message = `${formatBytes(free)} free for ${dataDir}.`;
    if (free >= lowSpaceBytes) return { about, state: "ok", message };
    return { about, state: "attention", message, advice: "Make room, or move DATA_DIR." };
  }
}
