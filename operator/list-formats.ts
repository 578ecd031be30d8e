import type { ListedState } from "#newsletter/subscriber-states.ts";

/** Only the confirmed are sent issues. From what lets mail out to what keeps it away. */
export const listedStates = ["unconfirmed", "confirmed", "bounced", "unsubscribed"] as const;

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
  consent_ends_at: "end of an implied consent",
  first_name: "first name",
  last_name: "last name",
  tags: "tags",
};
export type Meaning = keyof typeof meanings;

/** How a program writes subscribers. Names are in lower case and separated by spaces; those of columns have _ for theirs. */
export type ListFormat = {
  name: string;
  /** Sets of columns; a file that has all of one set is this program's. */
  signatures: string[];
  /** The columns with each meaning; the first that is there counts. */
  columns: Partial<Record<Meaning, string>>;
  /** The words of the state column; those of `unsaid` don't tell who has left. */
  states?: Partial<Record<ListedState | "unsaid", string>>;
  /** The state of rows for which the file gives none; `times`: as the times of the row say. */
  unsaid: ListedState | "times";
};

/** Our own export, and lists that were written by hand or by programs that are named below. */
export const plainFormat: ListFormat = {
  name: "plain list",
  signatures: [],
  columns: {
    email: "email email_address e_mail e_mail_address",
    // MailPoet: subscriber_status, global_status. Shopify: accepts_email_marketing.
    state:
      "state status subscribed opted_in marketing_consent subscriber_status global_status accepts_email_marketing",
    subscribed_at: "subscribed_at",
    confirmed_at: "confirmed_at",
    // HubSpot, Brevo, Constant Contact, ActiveCampaign, phpList, Salesforce: the last six.
    unsubscribed_at:
      "unsubscribed_at unsubscribed opted_out opt_out optout left_at unsubscribed_from_all_email " +
      "email_blacklisted confirmed_opt_out_date unsubscribe_date blacklisted hasoptedoutofemail",
    bounced_at: "bounced_at bounced isemailbounced",
    consent_text: "consent_text",
    consent_page: "consent_page",
    consent_address: "consent_address",
    consent_ends_at: "consent_ends_at",
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
 * The exports that are recognised. Complaints, blocks and removals count as unsubscribed and paused mail as unconfirmed,
 * so that nobody is mailed whom the other program would not have mailed.
 */
export const listFormats: Record<string, ListFormat> = {
  // github.com/TryGhost/migrate, packages/mg-mailchimp-members. A file each for subscribed, unsubscribed and cleaned.
  mailchimp: {
    name: "Mailchimp",
    signatures: ["member_rating optin_time confirm_time"],
    columns: {
      subscribed_at: "optin_time",
      consent_address: "optin_ip",
      confirmed_at: "confirm_time",
      unsubscribed_at: "unsub_time",
      bounced_at: "clean_time",
    },
    unsaid: "times",
  },
  // github.com/TryGhost/migrate, packages/mg-substack-members-csv; the dashboard's: buttondown/roadmap 2282.
  substack: {
    name: "Substack",
    signatures: [
      "email active_subscription expiry",
      "email email_disabled",
      "email subscription_type subscription_date activity",
      "email name type start_date",
    ],
    columns: { state: "email_disabled", subscribed_at: "created_at subscription_date start_date" },
    states: { confirmed: "false", unsubscribed: "true" },
    unsaid: "unconfirmed",
  },
  // github.com/TryGhost/migrate, packages/mg-beehiiv-members; the states: developers.beehiiv.com, subscriptions.
  beehiiv: {
    name: "beehiiv",
    signatures: ["email status created_at tier"],
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
    signatures: ["email subscribed_to_emails"],
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
    signatures: ["uuid email attributes status"],
    columns: { state: "status", subscribed_at: "created_at" },
    states: { unsaid: "enabled", unsubscribed: "disabled blocklisted" },
    unsaid: "unconfirmed",
  },
  // docs.buttondown.com/api-subscribers-introduction and /subscriber-dashboard, present and former names.
  buttondown: {
    name: "Buttondown",
    signatures: [
      "email_address type creation_date",
      "email type creation_date",
      "email subscriber_type creation_date",
      "email status subscription_date",
    ],
    columns: {
      state: "type subscriber_type status",
      subscribed_at: "creation_date subscription_date",
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
    signatures: ["first_name email_address created_at", "first_name email created_at"],
    columns: { state: "state status", subscribed_at: "created_at" },
    states: {
      confirmed: "active confirmed cold",
      unconfirmed: "inactive unconfirmed",
      bounced: "bounced",
      unsubscribed: "cancelled complained",
    },
    unsaid: "unconfirmed",
  },
};

/** The columns that say who somebody is, in any program's file. */
export const names = {
  first_name: "first_name firstname fname given_name name full_name",
  last_name: "last_name lastname lname surname family_name",
  tags: "tags tag labels label",
};

const allFormats = [plainFormat, ...Object.values(listFormats)];

/** The columns that say in any file who has left or bounced, whichever program wrote it. */
export const endings = {
  unsubscribed_at: allFormats.flatMap(({ columns }) => columns.unsubscribed_at ?? []).join(" "),
  bounced_at: allFormats.flatMap(({ columns }) => columns.bounced_at ?? []).join(" "),
};

/**
 * The program whose export has these columns: of several, the one that reads the most. A plain list where our own columns
 * are there too, or where the program would not see who has left.
 */
export function recognise(present: Set<string>): ListFormat {
  const among = (columns = "") => columns.split(" ").filter((column) => present.has(column));
  const own = among("confirmed_at unsubscribed_at bounced_at consent_text");
  const saysWhoLeft = among(plainFormat.columns.unsubscribed_at).length > 0;
  const readBy = ({ columns }: ListFormat) => Object.values(columns).flatMap(among);
  const [best = plainFormat] = Object.values(listFormats)
    .filter(({ signatures }) => signatures.some((columns) => isWhole(among(columns), columns)))
    .filter((format) => own.every((column) => readBy(format).includes(column)))
    .filter(({ columns }) => !saysWhoLeft || among(columns.state).length > 0)
    .toSorted((a, b) => readBy(b).length - readBy(a).length);
  return best;
}

function isWhole(found: string[], columns: string): boolean {
  return found.length === columns.split(" ").length;
}
