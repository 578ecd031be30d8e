import type { ListFormat } from "./list-format.ts";

/**
 * The exports that are known, most telling first. Whoever complained, was blocked or was removed there counts as
 * unsubscribed here, and whose mail is paused as unconfirmed: nobody is mailed whom the other program would not have
 * mailed.
 */
export const listFormats: Record<string, ListFormat> = {
  /**
   * Audience export, a file each for subscribed, unsubscribed and cleaned (github.com/TryGhost/migrate,
   * packages/mg-mailchimp-members/src/test/fixtures; buttondown/roadmap 2276). Times have no zone: taken as UTC.
   */
  mailchimp: {
    name: "Mailchimp",
    signatures: [["member_rating", "optin_time", "confirm_time"]],
    columns: {
      "email address": "email",
      email: "email",
      optin_time: "subscribed_at",
      optin_ip: "consent_address",
      confirm_time: "confirmed_at",
      unsub_time: "unsubscribed_at",
      clean_time: "bounced_at",
    },
    unsaid: "times",
  },
  /**
   * The email_list file of a full export (github.com/TryGhost/migrate, packages/mg-substack-members-csv), and the one of
   * the dashboard (buttondown/roadmap 2282).
   */
  substack: {
    name: "Substack",
    signatures: [
      ["email", "active_subscription", "expiry"],
      ["email", "email_disabled"],
      ["email", "subscription type", "subscription date", "activity"],
    ],
    columns: {
      email: "email",
      email_disabled: "state",
      created_at: "subscribed_at",
      "subscription date": "subscribed_at",
    },
    states: { false: "confirmed", true: "unsubscribed" },
    unsaid: "unconfirmed",
    note: "Without the column email_disabled the file doesn't tell who has turned the mail off: take the email_list file of Substack's full export.",
  },
  /**
   * github.com/TryGhost/migrate, packages/mg-beehiiv-members/src/test/fixtures/members.csv; the states by
   * developers.beehiiv.com, subscriptions.
   */
  beehiiv: {
    name: "beehiiv",
    signatures: [
      ["email", "status", "created_at", "tier"],
      ["email", "status", "created_at", "unsubscribed_at"],
    ],
    columns: {
      email: "email",
      status: "state",
      created_at: "subscribed_at",
      unsubscribed_at: "unsubscribed_at",
    },
    states: {
      active: "confirmed",
      pending: "unconfirmed",
      validating: "unconfirmed",
      needs_attention: "unconfirmed",
      paused: "unconfirmed",
      inactive: "unsubscribed",
      invalid: "bounced",
    },
    unsaid: "unconfirmed",
  },
  /** github.com/TryGhost/Ghost, ghost/members-csv/lib/unparse.js. */
  ghost: {
    name: "Ghost",
    signatures: [["email", "subscribed_to_emails"]],
    columns: {
      email: "email",
      subscribed_to_emails: "state",
      created_at: "subscribed_at",
      deleted_at: "unsubscribed_at",
    },
    states: { true: "confirmed", false: "unsubscribed" },
    unsaid: "unconfirmed",
  },
  /** github.com/knadh/listmonk, cmd/subscribers.go. It doesn't say who has left a list (knadh/listmonk 738, 2855). */
  listmonk: {
    name: "listmonk",
    signatures: [["uuid", "email", "attributes", "status"]],
    columns: { email: "email", status: "state", created_at: "subscribed_at" },
    states: { enabled: null, disabled: "unsubscribed", blocklisted: "unsubscribed" },
    unsaid: "unconfirmed",
    note: "listmonk's export doesn't tell who has left a list. Export one list by the subscription's status: the confirmed with --state confirmed, the unsubscribed with --state unsubscribed.",
  },
  /**
   * The fields of docs.buttondown.com/api-subscribers-introduction and /subscriber-dashboard, in their present and former
   * names.
   */
  buttondown: {
    name: "Buttondown",
    signatures: [
      ["email_address", "type", "creation_date"],
      ["email", "type", "creation_date"],
      ["email", "subscriber_type", "creation_date"],
      ["email", "status", "subscription date"],
    ],
    columns: {
      email_address: "email",
      email: "email",
      type: "state",
      subscriber_type: "state",
      status: "state",
      creation_date: "subscribed_at",
      "subscription date": "subscribed_at",
      unsubscription_date: "unsubscribed_at",
      "unsubscription date": "unsubscribed_at",
      undeliverability_date: "bounced_at",
      "undeliverability date": "bounced_at",
      ip_address: "consent_address",
      "ip address": "consent_address",
      referrer_url: "consent_page",
      "referrer url": "consent_page",
    },
    states: {
      regular: "confirmed",
      premium: "confirmed",
      trialed: "confirmed",
      unpaid: "confirmed",
      gifted: "confirmed",
      churning: "confirmed",
      churned: "confirmed",
      past_due: "confirmed",
      paused: "unconfirmed",
      unactivated: "unconfirmed",
      undeliverable: "bounced",
      unsubscribed: "unsubscribed",
      complained: "unsubscribed",
      blocked: "unsubscribed",
      spammy: "unsubscribed",
      removed: "unsubscribed",
    },
    unsaid: "unconfirmed",
  },
  /** The fields and states of developers.kit.com/api-reference/subscribers, and the words of help.kit.com for the latter. */
  kit: {
    name: "Kit (ConvertKit)",
    signatures: [
      ["first_name", "email_address", "created_at"],
      ["first_name", "email", "created_at"],
      ["first name", "email", "created at"],
      ["first name", "email address", "created at"],
    ],
    columns: {
      email_address: "email",
      "email address": "email",
      email: "email",
      state: "state",
      status: "state",
      created_at: "subscribed_at",
      "created at": "subscribed_at",
    },
    states: {
      active: "confirmed",
      confirmed: "confirmed",
      cold: "confirmed",
      inactive: "unconfirmed",
      unconfirmed: "unconfirmed",
      bounced: "bounced",
      cancelled: "unsubscribed",
      complained: "unsubscribed",
    },
    unsaid: "unconfirmed",
    note: "Without a column state the file doesn't tell who has left: export Kit's states one by one, and say with --state which it is.",
  },
};

/** Files of our own export, and lists that were written by hand. */
export const plainFormat: ListFormat = {
  name: "plain list",
  signatures: [["email"]],
  columns: {
    email: "email",
    subscribed_at: "subscribed_at",
    confirmed_at: "confirmed_at",
    unsubscribed_at: "unsubscribed_at",
    bounced_at: "bounced_at",
    consent_text: "consent_text",
    consent_page: "consent_page",
    consent_address: "consent_address",
  },
  unsaid: "times",
};
