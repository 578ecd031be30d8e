import type { ListedState } from "./subscriber-states.ts";

export const meanings = {
  email: "address",
  state: "state",
  subscribed_at: "signed up at",
  confirmed_at: "confirmed at",
  unsubscribed_at: "left at",
  bounced_at: "bounced at",
  consent_text: "wording agreed to",
  consent_page: "page of the sign-up",
  consent_address: "network address of the sign-up",
  consent_ends_at: "end of an implied consent",
};
export type Meaning = keyof typeof meanings;

export function isMeaning(text: unknown): text is Meaning {
  return typeof text === "string" && Object.hasOwn(meanings, text);
}

export type Columns = Record<string, Meaning | null>;

/** From most to least permissive. Only confirmed subscribers get mail. */
export const listedStates = ["unconfirmed", "confirmed", "bounced", "unsubscribed"] as const;

/** Column names of Mailchimp, Ghost, Substack, Buttondown and others. The first match wins. */
const columnNames: Record<Meaning, string> = {
  email: "email email_address e_mail e_mail_address",
  state:
    "state status subscribed_to_emails subscribed subscriber_status global_status subscriber_type type " +
    "opted_in marketing_consent accepts_email_marketing",
  subscribed_at:
    "subscribed_at optin_time created_at creation_date subscription_date start_date added_time",
  confirmed_at: "confirmed_at confirm_time",
  unsubscribed_at:
    "unsubscribed_at unsub_time unsubscription_date unsubscribed unsubscribe_date email_disabled opted_out opt_out optout " +
    "left_at deleted_at unsubscribed_from_all_email email_blacklisted blacklisted confirmed_opt_out_date hasoptedoutofemail",
  bounced_at: "bounced_at clean_time undeliverability_date bounced isemailbounced",
  consent_text: "consent_text",
  consent_page: "consent_page referrer_url",
  consent_address: "consent_address optin_ip ip_address",
  consent_ends_at: "consent_ends_at",
};

/** Several columns may say who gets no mail, and all of them count. */
export const endings = new Set<Meaning>(["unsubscribed_at", "bounced_at"]);

/** `unsaid`: neither confirmed nor left. */
const stateWords: Record<ListedState | "unsaid", string> = {
  unsaid: "subscribed active enabled yes true 1",
  confirmed: "confirmed regular premium trialed unpaid gifted churning churned past_due",
  unconfirmed: "unconfirmed pending inactive unactivated paused",
  bounced: "bounced cleaned invalid undeliverable",
  unsubscribed:
    "unsubscribed left cancelled canceled complained spam spammy blocked blocklisted removed deleted disabled " +
    "suppressed optout opted_out no false 0",
};
export const stateOfWord = new Map(
  Object.entries(stateWords).flatMap(([state, words]) =>
    words.split(" ").map((word) => [word, state as ListedState | "unsaid"] as const),
  ),
);

/** Ghost's and Substack's columns, with their value for people who get mail. */
const mailedIf: Record<string, boolean> = { subscribed_to_emails: true, email_disabled: false };

export function saysMailed(name: string, flag: boolean | undefined): boolean {
  return flag !== undefined && flag === mailedIf[plain(name)];
}

export function findColumns(names: string[], given: Columns): Columns {
  const taken = new Set(Object.values(given));
  const meanings = new Map<string, Meaning>();
  for (const [meaning, known] of Object.entries(columnNames) as [Meaning, string][]) {
    if (taken.has(meaning)) continue;
    const present = known
      .split(" ")
      .flatMap((one) => names.find((name) => plain(name) === one) ?? []);
    const free = present.filter((name) => !Object.hasOwn(given, name));
    for (const name of endings.has(meaning) ? free : free.slice(0, 1)) meanings.set(name, meaning);
  }
  const columns = names.map((name) => [name, meanings.get(name) ?? null] as const);
  return { ...Object.fromEntries(columns), ...given };
}

/** Mailchimp's files of the unsubscribed and the cleaned leave some times blank. */
export function unsaidIn(names: string[]): ListedState | null {
  const known = names.map(plain);
  if (known.includes("unsub_time")) return "unsubscribed";
  return known.includes("clean_time") ? "bounced" : null;
}

export function describeColumns(columns: Columns, unknownWords: string[]): string[] {
  const names = Object.keys(columns);
  const leftOut = names.filter((name) => columns[name] === null);
  const taken = names.flatMap((name) => {
    const meaning = columns[name];
    return meaning ? `“${shortened(name)}” (${meanings[meaning]})` : [];
  });
  const suspect =
    /unsub|opt.?(?:ed.?)?(?:out|in$)|bounce|complain|cancel|suppress|block|black.?list|disabled|deleted|status|state|consent|^subscribed$|accepts|newsletter|^active$|^enabled$|\bleft\b|d[ée]s(?:abonn|inscri)|abmelde|abgemeldet/i;
  const isAbout = /reason|campaign|_by$|_code$|_answer$/i;
  const suspects = leftOut.filter((name) => suspect.test(name) && !isAbout.test(name));
  return [
    `Taken: ${taken.join(", ")}.`,
    leftOut.length > 0 && `Left out: ${quoted(leftOut)}.`,
    suspects.length > 0 &&
      `If ${quoted(suspects)} says who has left, say so: nobody is taken off for it now.`,
    unknownWords.length > 0 &&
      `What ${quoted(unknownWords.slice(0, 10))} mean isn’t known: these people count as not confirmed, and get no issue.`,
  ].filter((sentence) => sentence !== false);
}

export function quoted(words: string[]): string {
  return words.map((word) => `“${shortened(word)}”`).join(", ");
}

export function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** `email_address` for `Email Address`. */
function plain(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
}
