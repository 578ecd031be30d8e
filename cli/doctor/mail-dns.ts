import { Resolver } from "node:dns/promises";
import { describeCauses } from "#db/describe-causes.ts";

const dnsTimeoutMs = 3_000;

/** What is asked of DNS; Node's own resolver, or a test's. */
export type MailDns = Pick<Resolver, "resolveTxt" | "resolve4" | "reverse">;

export function ownResolver(): MailDns {
  return new Resolver({ timeout: dnsTimeoutMs, tries: 1 });
}

/** DNS that doesn't answer says nothing of what it would have said. */
export class LookupFailed extends Error {}

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
export async function textsOf(name: string, dns: MailDns): Promise<string[]> {
  const records = await ask(name, dns.resolveTxt(name));
  return records.map((parts) => parts.join(""));
}
