import { hash } from "node:crypto";
import { mailboxKey } from "#mail/mailbox-key.ts";
import { networkKey, siteKey } from "./network-key.ts";
import type { SubmissionKind } from "./submission-limits.ts";

type SubmissionSender = { clientAddress: string | null; email: string };

export type Taken =
  | {
      ok: true;
      /**
       * Which one of its sender's it is within the window, from 1: by the address, or by the mailbox where that isn't
       * known.
       */
      nth: number;
      /** Counts it as not having happened, for what turned out to be a repeat. */
      giveBack(): Promise<void>;
    }
  | { ok: false; retryAfterSeconds: number };

export type SubmissionLimiter = {
  /** Counts one submission, unless that would be one too many: then none of its counts is kept. */
  take(kind: SubmissionKind, sender: SubmissionSender): Promise<Taken>;
};

/**
 * What counts as one mailbox, one address and one site, hashed with a secret before it: none is stored as it is. Nobody
 * is shown a hash who could lengthen it, so the secret need not stand on both sides, as in HMAC, which takes five times
 * as long.
 */
export function senderKeys({ clientAddress, email }: SubmissionSender, secret: string) {
  const hashed = (text: string) => hash("sha256", `${secret} ${text}`, "base64url");
  return {
    mailbox: hashed(mailboxKey(email)),
    address: clientAddress === null ? null : hashed(networkKey(clientAddress)),
    site: clientAddress === null ? null : hashed(siteKey(clientAddress)),
  };
}
