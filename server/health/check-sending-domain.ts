import { createPublicKey } from "node:crypto";
import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { describeCauses } from "#db/describe-causes.ts";
import { readDkimKey } from "#mail/create-mailer.ts";
import type { Config } from "#settings/settings.ts";
import { attention, type Finding, note, ok } from "./check-machine.ts";

/** Node's resolver, or a test's. */
export type MailDns = Pick<Resolver, "resolveTxt" | "resolve4" | "reverse">;

/** DNS gave no answer, so nothing is known about the records. */
class LookupFailed extends Error {}

/** The records of a name; none where DNS says that there are none. Throws {@link LookupFailed}. */
async function ask<Answer>(name: string, question: Promise<Answer[]>): Promise<Answer[]> {
  try {
    return await question;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOTFOUND" || code === "ENODATA") return [];
    throw new LookupFailed(`${name} could not be looked up (${code || describeCauses(error)}).`);
  }
}

async function textsOf(name: string, dns: MailDns): Promise<string[]> {
  return (await ask(name, dns.resolveTxt(name))).map((parts) => parts.join(""));
}

/**
 * Checks what other mail servers look up about the domain that issues come from: who may send for it (SPF), the key that
 * mail is signed with (DKIM), what to do with mail that has neither (DMARC), and the mail server's reverse name. SPF is about the
 * domain that undelivered mail goes back to (RFC 7208, section 2.4). Nothing is looked up where no mail goes out.
 */
export async function checkSendingDomain(
  config: Config,
  dns: MailDns = new Resolver({ timeout: 3_000, tries: 1 }),
): Promise<(Finding & { about: string })[]> {
  const host = config.smtpUrl === null ? "localhost" : new URL(config.smtpUrl).hostname;
  if (/^(?:localhost|127\.|\[::1\])/.test(host)) return [];
  const domainOf = (address: string) => address.split("@").at(-1) ?? "";
  const domain = domainOf(config.mailFromNewsletter);
  const returnDomain = config.bounceMailbox ? domainOf(config.bounceMailbox.address) : domain;
  const checks = {
    SPF: checkSpf(returnDomain, dns),
    DKIM: checkDkim(config, domain, dns),
    DMARC: checkDmarc(domain, dns),
    "Reverse name": checkReverseName(host, dns),
  };
  return await Promise.all(
    Object.entries(checks).map(async ([about, check]) => {
      try {
        return { about, ...(await check) };
      } catch (error) {
        if (!(error instanceof LookupFailed)) throw error;
        const advice = "Look at this machine's DNS, and run doctor again.";
        return { about, ...attention(error.message, advice) };
      }
    }),
  );
}

async function checkSpf(domain: string, dns: MailDns): Promise<Finding> {
  const records = (await textsOf(domain, dns)).filter((text) => /^v=spf1(?: |$)/i.test(text));
  const [record] = records;
  if (record === undefined) {
    return attention(
      `${domain} doesn't say which servers may send for it.`,
      `Add a TXT record at ${domain}, for example "v=spf1 include:YOUR-PROVIDER ~all".`,
    );
  }
  if (records.length > 1) {
    return attention(
      `${domain} has ${records.length} SPF records.`,
      "Make one record of them: with two, neither counts (RFC 7208, section 4.5).",
    );
  }
  if (/[\s+]\+?all\b/i.test(record) && !/[-~?]all\b/i.test(record)) {
    return attention(`${domain} lets every server send for it.`, "End it with ~all or -all.");
  }
  // RFC 7208, section 4.6.4
  const lookups = record.match(/\b(?:include:|redirect=|exists:|a\b|mx\b|ptr\b)/gi)?.length ?? 0;
  return lookups > 10
    ? attention(`${domain} needs more than 10 lookups, and then fails.`)
    : ok(`${domain}: ${record}`);
}

async function checkDkim({ dkim }: Config, domain: string, dns: MailDns): Promise<Finding> {
  if (dkim === null) {
    return note(
      "this site doesn't sign mail itself; your mail service may.",
      "If it doesn't, set DKIM_DOMAIN, DKIM_SELECTOR and DKIM_KEY_FILE.",
    );
  }
  const name = `${dkim.selector}._domainkey.${dkim.domain}`;
  // Blanks in the key don't count (RFC 6376, section 3.6.1).
  const published = (await textsOf(name, dns))
    .map((record) => /(?:^|;)\s*p=([^;]*)/.exec(record)?.[1]?.replace(/\s/g, ""))
    .filter(Boolean);
  const publish = "Publish the public half of DKIM_KEY_FILE there: docs/newsletter.md says how.";
  if (published.length === 0) {
    return attention(`${name} has no key, so signatures can't be verified.`, publish);
  }
  const own = publicHalves({ dkim });
  if (own === null) return attention(`${dkim.keyFile} is no private key in PEM.`);
  if (!published.some((key) => own.includes(key))) {
    return attention(`${name} has another key than DKIM_KEY_FILE.`, publish);
  }
  if (!withParents(domain).includes(dkim.domain) && !withParents(dkim.domain).includes(domain)) {
    return attention(
      `mail from ${domain} is signed by ${dkim.domain}.`,
      "DMARC asks for a signature of the domain in From.",
    );
  }
  return ok(`${name} has this site's key.`);
}

/** In both forms in which keys are published: with their kind, and the bare RSA key. */
function publicHalves(config: Pick<Config, "dkim">): (string | undefined)[] | null {
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
    if (record) return ok(`${name}: ${record}`);
  }
  return attention(
    `${domain} has no DMARC record, which Gmail and Yahoo ask for.`,
    `Add a TXT record at _dmarc.${domain}, for example "v=DMARC1; p=none; rua=mailto:you@${domain}".`,
  );
}

async function checkReverseName(host: string, dns: MailDns): Promise<Finding> {
  const [address] = isIP(host) ? [host] : await ask(host, dns.resolve4(host));
  if (address === undefined) return attention(`${host} has no address in DNS.`);
  const names = await ask(address, dns.reverse(address));
  for (const name of names) {
    const back = await ask(name, dns.resolve4(name));
    if (back.includes(address)) return ok(`${address} is ${name}, and the other way round.`);
  }
  const what = names.length === 0 ? "has none" : `is ${names[0]}, which leads elsewhere`;
  return note(
    `${address} (${host}) ${what}.`,
    "Whoever gives the mail server its network address sets it; with a mail service, that is the service.",
  );
}

/** `news.example.com` and `example.com`: the names that a record for the domain may have. */
function withParents(domain: string): string[] {
  const labels = domain.split(".");
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
}
