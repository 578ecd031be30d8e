/** What a row of a list can be. Only the confirmed are sent issues. */
export const listedStates = ["confirmed", "unconfirmed", "bounced", "unsubscribed"] as const;
export type ListedState = (typeof listedStates)[number];

/** What a column can say, with the words for it. */
export const meanings = {
  email: "address",
  state: "state",
  subscribed_at: "signed up at",
  confirmed_at: "confirmed at",
  unsubscribed_at: "unsubscribed at",
  bounced_at: "bounced at",
  consent_text: "wording agreed to",
  consent_page: "page of the sign-up",
  consent_address: "network address of the sign-up",
};
export type Meaning = keyof typeof meanings;

/** How a program writes its subscribers into a file. Names of columns and states are in lower case, with _ for blanks and hyphens in the former. */
export type ListFormat = {
  name: string;
  /** Sets of columns, separated by |; a file that has all of one is this program's. */
  signatures: string[];
  /** Names of the column with each meaning but the address, separated by |; the first that is there counts. */
  columns: Partial<Record<Exclude<Meaning, "email">, string>>;
  /** What the state column can say, separated by blanks; `unsaid` where that doesn't tell who has left. */
  states?: Partial<Record<ListedState | "unsaid", string>>;
  /** What rows are where the file doesn't say; `times`: whatever the times of the row say. */
  unsaid: ListedState | "times";
  note?: string;
};

/** Columns that hold the address, whichever program wrote them. */
export const addressColumns = "email|email_address|e_mail|e_mail_address";

/** Files of our own export, and lists that were written by hand. A word that isn't known says nothing. */
export const plainFormat: ListFormat = {
  name: "plain list",
  signatures: [],
  columns: {
    // The last three: MailPoet and Shopify, whose exports are read as plain lists.
    state:
      "state|status|subscribed|opted_in|marketing_consent|subscriber_status|global_status|" +
      "accepts_email_marketing",
    subscribed_at: "subscribed_at",
    confirmed_at: "confirmed_at",
    // The last six: HubSpot, Brevo, Constant Contact, ActiveCampaign, phpList and Salesforce, whose exports are read as
    // plain lists.
    unsubscribed_at:
      "unsubscribed_at|unsubscribed|opted_out|opt_out|optout|left_at|" +
      "unsubscribed_from_all_email|email_blacklisted|confirmed_opt_out_date|" +
      "unsubscribe_date|blacklisted|hasoptedoutofemail",
    bounced_at: "bounced_at|bounced|isemailbounced",
    consent_text: "consent_text",
    consent_page: "consent_page",
    consent_address: "consent_address",
  },
  states: {
    unsaid: "confirmed subscribed active yes true 1",
    unconfirmed: "unconfirmed pending inactive paused",
    bounced: "bounced cleaned invalid undeliverable",
    unsubscribed:
      "unsubscribed left cancelled canceled complained spam blocked blocklisted removed deleted suppressed optout opted_out no false 0",
  },
  unsaid: "times",
};

/**
 * The exports that are recognised; of those whose signature fits, the one that reads the most columns. Complaints, blocks and removals count as
 * unsubscribed and paused mail as unconfirmed, so that nobody is mailed whom the other program would not have mailed.
 */
export const listFormats: Record<string, ListFormat> = {
  // A file each for subscribed, unsubscribed and cleaned (github.com/TryGhost/migrate, packages/mg-mailchimp-members;
  // buttondown/roadmap 2276). Times have no zone: read as UTC.
  mailchimp: {
    name: "Mailchimp",
    signatures: ["member_rating|optin_time|confirm_time"],
    columns: {
      subscribed_at: "optin_time",
      consent_address: "optin_ip",
      confirmed_at: "confirm_time",
      unsubscribed_at: "unsub_time",
      bounced_at: "clean_time",
    },
    unsaid: "times",
  },
  // The email_list file of a full export (github.com/TryGhost/migrate, packages/mg-substack-members-csv), and the
  // dashboard's (buttondown/roadmap 2282).
  substack: {
    name: "Substack",
    signatures: [
      "email|active_subscription|expiry",
      "email|email_disabled",
      "email|subscription_type|subscription_date|activity",
      "email|name|type|start_date",
    ],
    columns: { state: "email_disabled", subscribed_at: "created_at|subscription_date|start_date" },
    states: { confirmed: "false", unsubscribed: "true" },
    unsaid: "unconfirmed",
    note: "Without the column email_disabled the file doesn't tell who has turned the mail off: take the email_list file of Substack's full export.",
  },
  // github.com/TryGhost/migrate, packages/mg-beehiiv-members; the states: developers.beehiiv.com, subscriptions.
  beehiiv: {
    name: "beehiiv",
    signatures: ["email|status|created_at|tier"],
    columns: { state: "status", subscribed_at: "created_at", unsubscribed_at: "unsubscribed_at" },
    states: {
      confirmed: "active",
      unconfirmed: "pending validating needs_attention paused",
      bounced: "invalid",
      unsubscribed: "inactive",
    },
    unsaid: "unconfirmed",
  },
  // github.com/TryGhost/Ghost, ghost/members-csv/lib/unparse.js
  ghost: {
    name: "Ghost",
    signatures: ["email|subscribed_to_emails"],
    columns: {
      state: "subscribed_to_emails",
      subscribed_at: "created_at",
      unsubscribed_at: "deleted_at",
      bounced_at: "email_disabled",
    },
    states: { confirmed: "true", unsubscribed: "false" },
    unsaid: "unconfirmed",
  },
  // github.com/knadh/listmonk, cmd/subscribers.go. It doesn't say who has left a list (knadh/listmonk 738, 2855).
  listmonk: {
    name: "listmonk",
    signatures: ["uuid|email|attributes|status"],
    columns: { state: "status", subscribed_at: "created_at" },
    states: { unsaid: "enabled", unsubscribed: "disabled blocklisted" },
    unsaid: "unconfirmed",
    note: "listmonk's export doesn't tell who has left a list. Export one list by the subscription's status: the confirmed with --state confirmed, the unsubscribed with --state unsubscribed.",
  },
  // docs.buttondown.com/api-subscribers-introduction and /subscriber-dashboard, present and former names.
  buttondown: {
    name: "Buttondown",
    signatures: [
      "email_address|type|creation_date",
      "email|type|creation_date",
      "email|subscriber_type|creation_date",
      "email|status|subscription_date",
    ],
    columns: {
      state: "type|subscriber_type|status",
      subscribed_at: "creation_date|subscription_date",
      unsubscribed_at: "unsubscription_date",
      bounced_at: "undeliverability_date",
      consent_address: "ip_address",
      consent_page: "referrer_url",
    },
    states: {
      confirmed: "regular premium trialed unpaid gifted churning churned past_due",
      unconfirmed: "paused unactivated",
      bounced: "undeliverable",
      unsubscribed: "unsubscribed complained blocked spammy removed",
    },
    unsaid: "unconfirmed",
  },
  // developers.kit.com/api-reference/subscribers, and the words of help.kit.com for the states.
  kit: {
    name: "Kit (ConvertKit)",
    signatures: ["first_name|email_address|created_at", "first_name|email|created_at"],
    columns: { state: "state|status", subscribed_at: "created_at" },
    states: {
      confirmed: "active confirmed cold",
      unconfirmed: "inactive unconfirmed",
      bounced: "bounced",
      unsubscribed: "cancelled complained",
    },
    unsaid: "unconfirmed",
    note: "Without a column state the file doesn't tell who has left: export Kit's states one by one, and say with --state which it is.",
  },
};

/** Columns that say in any file who has left or bounced, whichever program wrote it. */
export const endings = {
  unsubscribed_at: endingColumns("unsubscribed_at"),
  bounced_at: endingColumns("bounced_at"),
};

function endingColumns(meaning: "unsubscribed_at" | "bounced_at"): string {
  const formats = [plainFormat, ...Object.values(listFormats)];
  return formats.flatMap(({ columns }) => columns[meaning] ?? []).join("|");
}

/**
 * The program whose export has these columns; the plain list where none has, where our own columns stand beside, or where
 * the program would not see who has left.
 */
export function recognise(present: Set<string>): ListFormat {
  const has = (column: string) => present.has(column);
  const own = ["confirmed_at", "unsubscribed_at", "bounced_at", "consent_text"].filter(has);
  const isEnded = plainFormat.columns.unsubscribed_at?.split("|").some(has);
  const readBy = ({ columns }: ListFormat) =>
    Object.values(columns).flatMap((names) => names.split("|").filter(has));
  const [best = plainFormat] = Object.values(listFormats)
    .filter(({ signatures }) => signatures.some((columns) => columns.split("|").every(has)))
    .filter((format) => own.every((column) => readBy(format).includes(column)))
    .filter(({ columns }) => !isEnded || columns.state?.split("|").some(has))
    .toSorted((a, b) => readBy(b).length - readBy(a).length);
  return best;
}
