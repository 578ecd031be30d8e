import { createPublicKey } from "node:crypto";
import { Resolver } from "node:dns/promises";
import { errorCode } from "#db/describe-causes.ts";
import { readDkimKey } from "#mail/create-mailer.ts";
import type { Config } from "#settings/settings.ts";
import {
  attention,
  type Finding,
  type NamedFinding,
  note,
  ok,
  runChecks,
} from "./check-machine.ts";

/** Node's resolver, or a test's. */
export type MailDns = Pick<Resolver, "resolveTxt">;

/** The records of a name; none where DNS says that there are none. */
async function textsOf(name: string, dns: MailDns): Promise<string[]> {
  try {
    return (await dns.resolveTxt(name)).map((parts) => parts.join(""));
  } catch (error) {
    if (["ENOTFOUND", "ENODATA"].includes(errorCode(error))) return [];
    throw error;
  }
}

/**
 * Checks what other mail servers look up about the domain that issues come from: who may send for
 * it (SPF), the key that mail is signed with (DKIM), and what to do with mail that has neither
 * (DMARC). SPF is about the domain that undelivered mail goes back to (RFC 7208, section 2.4).
 * Nothing is looked up where no mail goes out.
 */
export async function checkSendingDomain(
  config: Config,
  dns: MailDns = new Resolver({ timeout: 3_000, tries: 1 }),
): Promise<NamedFinding[]> {
  const host = config.smtpUrl === null ? "localhost" : new URL(config.smtpUrl).hostname;
  if (/^(?:localhost|127\.|\[::1\])/.test(host)) return [];
  const domainOf = (address: string) => address.split("@").at(-1) ?? "";
  const domain = domainOf(config.mailFromNewsletter);
  const returnDomain = config.bounceMailbox ? domainOf(config.bounceMailbox.address) : domain;
  return await runChecks({
    SPF: checkSpf(returnDomain, dns),
    DKIM: checkDkim(config, dns),
    DMARC: checkDmarc(domain, dns),
  });
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
  return /[\s+]\+?all\b/i.test(record) && !/[-~?]all\b/i.test(record)
    ? attention(`${domain} lets every server send for it.`, "End it with ~all or -all.")
    : ok(`${domain}: ${record}`);
}

async function checkDkim({ dkim }: Config, dns: MailDns): Promise<Finding> {
  if (dkim === null) {
    return note(
      "This site doesn't sign mail itself; your mail service may.",
      "If it doesn't, docs/newsletter.md says how this site signs it.",
    );
  }
  const name = `${dkim.selector}._domainkey.${dkim.domain}`;
  // Blanks in the key don't count (RFC 6376, section 3.6.1).
  const published = (await textsOf(name, dns))
    .map((record) => /(?:^|;)\s*p=([^;]*)/.exec(record)?.[1]?.replace(/\s/g, ""))
    .filter(Boolean);
  const publish = "Publish the public half of this site's key there: docs/newsletter.md says how.";
  if (published.length === 0) {
    return attention(`${name} has no key, so signatures can't be verified.`, publish);
  }
  const own = publicHalf({ dkim });
  if (own === null) return attention(`${dkim.keyFile} is no private key in PEM.`);
  if (!published.includes(own)) {
    return attention(`${name} has another key than this site.`, publish);
  }
  return ok(`${name} has this site's key.`);
}

/** As DNS has it (RFC 6376, section 3.6.1); null where the file holds no key. */
function publicHalf(config: Pick<Config, "dkim">): string | null {
  try {
    const key = createPublicKey(readDkimKey(config)?.privateKey ?? "");
    return key.export({ type: "spki", format: "der" }).toString("base64");
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

/** `news.example.com` and `example.com`: the names that a record for the domain may have. */
function withParents(domain: string): string[] {
  const labels = domain.split(".");
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
}
