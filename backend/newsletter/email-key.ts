import { mailboxKey } from "../email/mailbox-key.ts";

/** The form of an address under which it counts once, however it is capitalised or composed. */
export function emailKey(email: string): string {
  return email.normalize("NFC").toLowerCase();
}

/** The columns under which an address is found: by itself, and by the mailbox that it leads to. */
export function addressKeys(email: string) {
  const key = emailKey(email);
  const mailbox = mailboxKey(email);
  return { email_key: key, alias_of: mailbox === key ? null : mailbox, mailbox_key: mailbox };
}
