import * as v from "valibot";
import { emailAddress } from "#contracts/text.ts";
import { findMailbox } from "#mail/mailbox-key.ts";
import { readAddress } from "#mail/read-address.ts";
import type { ImportedSubscriber } from "#newsletter/imported-subscriber.ts";
import type { ListedState, Meaning } from "./list-format.ts";
import { plainFormat } from "./list-formats.ts";
import { readListedTime } from "./listed-time.ts";
import { type ColumnMap, plain } from "./map-columns.ts";

/** Longest wording of consent, in characters. */
export const consentTextMaxLength = 5_000;
const consentPageMaxLength = 500;
const consentAddressMaxLength = 100;

export type ListedSubscriber = {
  mailbox: string;
  state: ListedState;
  subscriber: ImportedSubscriber;
};

const timeMeanings = ["subscribed_at", "confirmed_at", "unsubscribed_at", "bounced_at"] as const;

/** The subscriber that a row names, or what is wrong with the row. The given wording stands in where it has none. */
export function readListedSubscriber(
  fields: Record<string, unknown>,
  map: ColumnMap,
  { consent, now }: { consent: string; now: Date },
): ListedSubscriber | string {
  const cells: Partial<Record<Meaning, unknown>> = {};
  const names: Partial<Record<Meaning, string>> = {};
  for (const { name, meaning } of map.columns) {
    if (meaning === null) continue;
    const value = fields[name];
    if (typeof value === "string" && value.includes("\uFFFD")) return `${name} is not UTF-8.`;
    cells[meaning] = value;
    names[meaning] = name;
  }
  const email = v.safeParse(emailAddress("email"), cells.email ?? "");
  if (!email.success) return email.issues[0].message;
  const address = readAddress(email.output);
  const mailbox = address === null ? null : findMailbox(address);
  if (address === null || mailbox === null) return "email is not a valid email address.";

  const times: Partial<Record<Meaning, string | null>> = {};
  for (const meaning of timeMeanings) {
    const zoneless = map.format === plainFormat ? "refused" : "utc";
    const time = readListedTime(cells[meaning], { zoneless });
    if (time === undefined)
      return `${names[meaning]} is not a time; write it as 2026-11-21T14:05:00Z.`;
    times[meaning] = time;
  }
  const state = stateOf(cells.state, names.state, map, times);
  if (!state.ok) return state.fault;

  const consentText = readText(cells.consent_text) ?? consent;
  if (consentText.length > consentTextMaxLength) {
    return `consent_text is longer than ${consentTextMaxLength} characters.`;
  }
  const subscribedAt = times.subscribed_at ?? now.toISOString();
  const mails = state.is === "confirmed" || state.is === "bounced";
  const isEndUndated =
    (state.is === "unsubscribed" && !times.unsubscribed_at) ||
    (state.is === "bounced" && !times.bounced_at);
  return {
    mailbox,
    state: state.is,
    subscriber: {
      email: address,
      consentText,
      consentPage: readText(cells.consent_page)?.slice(0, consentPageMaxLength) ?? null,
      consentAddress: readText(cells.consent_address)?.slice(0, consentAddressMaxLength) ?? null,
      subscribedAt,
      confirmedAt:
        state.is === "unconfirmed" ? null : (times.confirmed_at ?? (mails ? subscribedAt : null)),
      unsubscribedAt:
        state.is === "unsubscribed" ? (times.unsubscribed_at ?? now.toISOString()) : null,
      bouncedAt: state.is === "bounced" ? (times.bounced_at ?? now.toISOString()) : null,
      isEndUndated,
    },
  };
}

/** What keeps mail away wins over what would let it go out. */
function stateOf(
  cell: unknown,
  column: string | undefined,
  { format, unsaid }: ColumnMap,
  times: Partial<Record<Meaning, string | null>>,
): { ok: true; is: ListedState } | { ok: false; fault: string } {
  const word = plain(String(cell ?? ""));
  const states = format.states ?? {};
  if (column !== undefined && !Object.hasOwn(states, word)) {
    const fault =
      word === ""
        ? `${column} is blank, so that nobody knows whether mail is wanted.`
        : `${column} "${word.slice(0, 40)}" is not a state that ${format.name} is known to write.`;
    return { ok: false, fault };
  }
  const said = (column === undefined ? null : states[word]) ?? unsaid;
  if (said === "unsubscribed" || times.unsubscribed_at) return { ok: true, is: "unsubscribed" };
  if (said === "bounced" || times.bounced_at) return { ok: true, is: "bounced" };
  if (said !== "times") return { ok: true, is: said };
  return { ok: true, is: times.confirmed_at ? "confirmed" : "unconfirmed" };
}

function readText(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}
