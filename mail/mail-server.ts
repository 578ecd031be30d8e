import { isIP } from "node:net";
import { createMailer } from "./create-mailer.ts";
import { readFailure } from "./mail-answer.ts";

/** A mail server as an owner knows it: by fields. It is stored as one `smtp:` or `smtps:` address. */
export type MailServer = { host: string; port: string; user: string; password: string };

/** As an owner is asked for them. */
export const serverFields: Readonly<Record<keyof MailServer, { label: string; help: string }>> = {
  host: {
    label: "Server",
    help: "For example smtp.gmail.com; your provider’s help names it. Without one, each mail is only kept as a file where the site runs.",
  },
  port: { label: "Port", help: "465, or 587 if your provider says so." },
  user: { label: "User", help: "" },
  password: { label: "Password", help: "Often one made for this, an app password." },
};

export function mailServerOf(smtpUrl: string): MailServer {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  return {
    host: hostname,
    port: port || (protocol === "smtps:" ? "465" : "587"),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
}

type ReadServer =
  | { ok: true; smtpUrl: string }
  | { ok: false; field: keyof MailServer; problem: string };

/** Reads the fields as people fill them in. An empty password stays the one of `kept`, for the same server and user. */
export function readMailServer(given: MailServer, kept: string | null): ReadServer {
  const [, scheme, rest = ""] = /^(?:([a-z]+):\/\/)?(.*?)\/?$/i.exec(given.host) ?? [];
  if (rest.includes("@")) {
    const problem = "is an email address. Give the server's name, such as smtp.example.com";
    return { ok: false, field: "host", problem };
  }
  // By a scheme whose hosts are checked and written small.
  const url = URL.parse(`https://${isIP(rest) === 6 ? `[${rest}]` : rest}`);
  if (
    (scheme && !/^smtps?$/i.test(scheme)) ||
    !url?.hostname ||
    url.pathname !== "/" ||
    url.search
  ) {
    const problem = "must be the mail server's name alone, such as smtp.example.com";
    return { ok: false, field: "host", problem };
  }
  const port = url.port || given.port || "465";
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) {
    return { ok: false, field: "port", problem: "must be a number, mostly 465 or 587" };
  }
  const { hostname: host } = url;
  const before = kept === null ? null : mailServerOf(kept);
  const isSame = before?.host === host && before.user === given.user;
  const password = withoutGroups(given.password) || (isSame ? before.password : "");
  if (given.user && !password) {
    return { ok: false, field: "password", problem: "is needed for another server or user" };
  }
  if (kept && isSame && before.port === port && before.password === password) {
    return { ok: true, smtpUrl: kept };
  }
  const protocol = port === "465" || scheme?.toLowerCase() === "smtps" ? "smtps" : "smtp";
  const [user, word] = [given.user, password].map(encodeURIComponent);
  return { ok: true, smtpUrl: `${protocol}://${user ? `${user}:${word}@` : ""}${host}:${port}` };
}

/** Google shows an app password in four groups of letters, with blanks that don't belong to it. */
function withoutGroups(password: string): string {
  return /^[a-z]{4}(?:\s[a-z]{4}){3}$/.test(password) ? password.replace(/\s/g, "") : password;
}

type TriedServer = { ok: true } | { ok: false; problem: string; page: string | null };

/** Signs in without sending. `page` is the provider's, about passwords for programs. */
export async function tryMailServer(smtpUrl: string, siteUrl: string): Promise<TriedServer> {
  const { host, port } = mailServerOf(smtpUrl);
  const mailer = createMailer({ smtpUrl, siteUrl, dataDir: "", from: "" });
  try {
    await mailer.verify();
    return { ok: true };
  } catch (error) {
    const { code = "" } = error as { code?: string };
    const { words } = readFailure(error);
    const page = (code === "EAUTH" && pages.get(host)) || null;
    return { ok: false, problem: explain({ host, port, code, words }), page };
  } finally {
    mailer.close();
  }
}

function explain({ host, port, code, words }: Record<"host" | "port" | "code" | "words", string>) {
  if (code === "EAUTH") {
    return `${host} doesn't take this user and password. Many providers want a password made for programs, an app password. It said: ${words}`;
  }
  if (code === "EDNS") return `There is no server named ${host}.`;
  if (/certificate|self[- ]signed/i.test(words)) {
    return `${host} can't prove that it is ${host}, so it was sent no password. It said: ${words}`;
  }
  const other = port === "465" ? "587" : "465";
  return `${host} doesn't answer at port ${port} as a mail server does; perhaps it does at ${other}. (${words})`;
}

const pages = new Map([
  ["smtp.gmail.com", "https://support.google.com/mail/answer/185833"],
  [
    "smtp.office365.com",
    "https://techcommunity.microsoft.com/blog/exchange/exchange-online-to-retire-basic-auth-for-client-submission-smtp-auth/4114750",
  ],
]);
