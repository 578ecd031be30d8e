import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import type { Config } from "#server/config.ts";
import type { Finding } from "./finding.ts";

const dnsTimeoutMs = 3_000;

/** What is asked of DNS; Node's own resolver, or a test's. */
export type MailDns = Pick<Resolver, "resolveTxt" | "resolve4" | "reverse">;

/** Many hops make SPF fail (RFC 7208, section 4.6.4); one that asks for more than this is reported. */
const spfLookupsMax = 10;

function ownResolver(): MailDns {
  return new Resolver({ timeout: dnsTimeoutMs, tries: 1 });
}

/**
 * What other mail servers look up about the domain that issues come from: who may send for it (SPF), the key that mail is
 * signed with (DKIM), what to do with mail that has neither (DMARC), and the mail server's reverse name. Nothing is looked
 * up where no mail goes out.
 */
export async function checkSendingDomain(
  config: Config,
  dns: MailDns = ownResolver(),
): Promise<Finding[]> {
  if (config.smtpUrl === null) return [];
  const host = new URL(config.smtpUrl).hostname;
  if (isOwnMachine(host)) return [];
  const domain = config.mailFromNewsletter.split("@").at(-1) ?? "";
  return await Promise.all([
    checkSpf(domain, dns),
    checkDkim(config, domain, dns),
    checkDmarc(domain, dns),
    checkReverseName(host, dns),
  ]);
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
  const record = (await textsOf(name, dns)).find((text) => /\bp=/.test(text));
  if (record === undefined || /\bp=\s*(?:;|$)/.test(record)) {
    const advice = "Publish the public half of DKIM_KEY_FILE there: docs/newsletter.md says how.";
    return attention("DKIM", `${name} has no key, so signatures can't be verified.`, advice);
  }
  if (!isWithin(domain, dkim.domain)) {
    const advice = "DMARC asks for a signature of the domain in From.";
    return attention("DKIM", `mail from ${domain} is signed by ${dkim.domain}.`, advice);
  }
  return { about: "DKIM", state: "ok", message: `${name} has a key.` };
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
  const addresses: string[] = isIP(host) ? [host] : await dns.resolve4(host).catch(() => []);
  const [address] = addresses;
  if (address === undefined) return attention(about, `${host} has no address in DNS.`);
  const names: string[] = await dns.reverse(address).catch(() => []);
  for (const name of names) {
    const back: string[] = await dns.resolve4(name).catch(() => []);
    if (back.includes(address)) {
      return { about, state: "ok", message: `${address} is ${name}, and the other way round.` };
    }
  }
  const advice =
    "Whoever gives the mail server its address sets it. It's theirs with a mail service.";
  const what = names.length === 0 ? "has none" : `is ${names[0]}, which leads elsewhere`;
  return { about, state: "note", message: `${address} (${host}) ${what}.`, advice };
}

function attention(about: string, message: string, advice?: string): Finding {
  return { about, state: "attention", message, advice };
}

async function textsOf(name: string, dns: MailDns): Promise<string[]> {
  const records: string[][] = await dns.resolveTxt(name).catch(() => []);
  return records.map((parts) => parts.join(""));
}

function isWithin(domain: string, signer: string): boolean {
  return withParents(domain).includes(signer) || withParents(signer).includes(domain);
}

/** `news.example.com` and `example.com`: where a record for the whole name may stand. */
function withParents(domain: string): string[] {
  const labels = domain.split(".");
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
}
