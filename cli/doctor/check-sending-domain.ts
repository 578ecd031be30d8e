import { createPublicKey } from "node:crypto";
import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { describeCauses } from "#db/describe-causes.ts";
import { readDkimKey } from "#server/create-mailers.ts";
import type { Config } from "#server/settings.ts";
import type { Finding } from "./check-reachable.ts";

const dnsTimeoutMs = 3_000;

/** What is asked of DNS; Node's own resolver, or a test's. */
export type MailDns = Pick<Resolver, "resolveTxt" | "resolve4" | "reverse">;

function ownResolver(): MailDns {
  return new Resolver({ timeout: dnsTimeoutMs, tries: 1 });
}

/** DNS that doesn't answer says nothing of what it would have said. */
class LookupFailed extends Error {}

/** What DNS has; nothing where it says that there is nothing. Throws {@link LookupFailed}. */
export async function ask<Answer>(name: string, question: Promise<Answer[]>): Promise<Answer[]> {
  try {
    return await question;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOTFOUND" || code === "ENODATA") return [];
    throw new LookupFailed(`${name} could not be looked up (${code || describeCauses(error)}).`);
  }
}

/** The TXT records of a name, each in one piece. */
async function textsOf(name: string, dns: MailDns): Promise<string[]> {
  const records = await ask(name, dns.resolveTxt(name));
  return records.map((parts) => parts.join(""));
}

/** Many hops make SPF fail (RFC 7208, section 4.6.4); one that asks for more than this is reported. */
const spfLookupsMax = 10;

/**
 * What other mail servers look up about the domain that issues come from: who may send for it (SPF), the key that mail is
 * signed with (DKIM), what to do with mail that has neither (DMARC), and the mail server's reverse name. SPF is about the
 * domain that undelivered mail goes back to (RFC 7208, section 2.4). Nothing is looked up where no mail goes out.
 */
export async function checkSendingDomain(
  config: Config,
  dns: MailDns = ownResolver(),
): Promise<Finding[]> {
  if (config.smtpUrl === null) return [];
  const host = new URL(config.smtpUrl).hostname;
  if (isOwnMachine(host)) return [];
  const domain = domainOf(config.mailFromNewsletter);
  const returnDomain = config.bounceMailbox ? domainOf(config.bounceMailbox.address) : domain;
  return await Promise.all([
    lookedUp("SPF", checkSpf(returnDomain, dns)),
    lookedUp("DKIM", checkDkim(config, domain, dns)),
    lookedUp("DMARC", checkDmarc(domain, dns)),
    lookedUp("Reverse name", checkReverseName(host, dns)),
  ]);
}

function domainOf(address: string): string {
  return address.split("@").at(-1) ?? "";
}

async function lookedUp(about: string, checked: Promise<Finding>): Promise<Finding> {
  try {
    return await checked;
  } catch (error) {
    if (!(error instanceof LookupFailed)) throw error;
    return attention(about, error.message, "Look at this machine's DNS, and run doctor again.");
  }
}

function isOwnMachine(host: string): boolean {
  return /^(?:localhost|127\.|\[::1\])/.test(host);
}

async function checkSpf(domain: string, dns: MailDns): Promise<Finding> {
  const records = (await textsOf(domain, dns)).filter((text) => /^v=spf1(?: |$)/i.test(text));
  const [record, ...others] = records;
  if (record === undefined) {
    const advice = `Add a TXT record at ${domain}, for example "v=spf1 include:YOUR-PROVIDER ~all".`;
    return attention("SPF", `${domain} doesn't say which servers may send for it.`, advice);
  }
  if (others.length > 0) {
    const advice = "Make one record of them: with two, neither counts (RFC 7208, section 4.5).";
    return attention("SPF", `${domain} has ${records.length} SPF records.`, advice);
  }
  if (/[\s+]\+?all\b/i.test(record) && !/[-~?]all\b/i.test(record)) {
    return attention(
      "SPF",
      `${domain} lets every server send for it.`,
      "End it with ~all or -all.",
    );
  }
  const lookups = record.match(/\b(?:include:|redirect=|exists:|a\b|mx\b|ptr\b)/gi)?.length ?? 0;
  if (lookups > spfLookupsMax) {
    return attention("SPF", `${domain} needs more than ${spfLookupsMax} lookups, and then fails.`);
  }
  return { about: "SPF", state: "ok", message: `${domain}: ${record}` };
}

async function checkDkim({ dkim }: Config, domain: string, dns: MailDns): Promise<Finding> {
  if (dkim === null) {
    const message = "this site doesn't sign mail itself; your mail service may.";
    const advice = "If it doesn't, set DKIM_DOMAIN, DKIM_SELECTOR and DKIM_KEY_FILE.";
    return { about: "DKIM", state: "note", message, advice };
  }
  const name = `${dkim.selector}._domainkey.${dkim.domain}`;
  const published = (await textsOf(name, dns)).map(publishedKey).filter((key) => key !== "");
  if (published.length === 0) {
    const advice = "Publish the public half of DKIM_KEY_FILE there: docs/newsletter.md says how.";
    return attention("DKIM", `${name} has no key, so signatures can't be verified.`, advice);
  }
  const own = publicHalves({ dkim });
  if (own === null) return attention("DKIM", `${dkim.keyFile} is no private key in PEM.`);
  if (!published.some((key) => own.includes(key))) {
    const advice = "Publish the public half of that file there: docs/newsletter.md says how.";
    return attention("DKIM", `${name} has another key than DKIM_KEY_FILE.`, advice);
  }
  if (!isWithin(domain, dkim.domain)) {
    const advice = "DMARC asks for a signature of the domain in From.";
    return attention("DKIM", `mail from ${domain} is signed by ${dkim.domain}.`, advice);
  }
  return { about: "DKIM", state: "ok", message: `${name} has this site's key.` };
}

/** The key of a record (RFC 6376, section 3.6.1), in which blanks don't count; empty where it has none. */
function publishedKey(record: string): string {
  return (/(?:^|;)\s*p=([^;]*)/.exec(record)?.[1] ?? "").replace(/\s/g, "");
}

/** In both forms in which keys are published: with their kind, and the bare RSA key. */
function publicHalves(config: Pick<Config, "dkim">): string[] | null {
  try {
    const key = createPublicKey(readDkimKey(config)?.privateKey ?? "");
    const types =
      key.asymmetricKeyType === "rsa" ? (["spki", "pkcs1"] as const) : ["spki" as const];
    return types.map((type) => key.export({ type, format: "der" }).toString("base64"));
  } catch {
    return null;
  }
}

async function checkDmarc(domain: string, dns: MailDns): Promise<Finding> {
  for (const name of withParents(domain)) {
    const record = (await textsOf(`_dmarc.${name}`, dns)).find((text) => /^v=DMARC1\b/i.test(text));
    if (record) return { about: "DMARC", state: "ok", message: `${name}: ${record}` };
  }
  const advice = `Add a TXT record at _dmarc.${domain}, for example "v=DMARC1; p=none; rua=mailto:you@${domain}".`;
  return attention(
    "DMARC",
    `${domain} has no DMARC record, which Gmail and Yahoo ask for.`,
    advice,
  );
}

async function checkReverseName(host: string, dns: MailDns): Promise<Finding> {
  const about = "Reverse name";
  const addresses: string[] = isIP(host) ? [host] : await ask(host, dns.resolve4(host));
  const [address] = addresses;
  if (address === undefined) return attention(about, `${host} has no address in DNS.`);
  const names = await ask(address, dns.reverse(address));
  for (const name of names) {
    const back = await ask(name, dns.resolve4(name));
    if (back.includes(address)) {
      return { about, state: "ok", message: `${address} is ${name}, and the other way round.` };
    }
  }
  const advice =
    "Whoever gives the mail server its network address sets it; with a mail service, that is the service.";
  const what = names.length === 0 ? "has none" : `is ${names[0]}, which leads elsewhere`;
  return { about, state: "note", message: `${address} (${host}) ${what}.`, advice };
}

function attention(about: string, message: string, advice?: string): Finding {
  return { about, state: "attention", message, advice };
}

function isWithin(domain: string, signer: string): boolean {
  return withParents(domain).includes(signer) || withParents(signer).includes(domain);
}

/** `news.example.com` and `example.com`: where a record for the whole name may stand. */
function withParents(domain: string): string[] {
  const labels = domain.split(".");
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
}
