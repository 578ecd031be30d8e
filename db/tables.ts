import type { Kysely } from "kysely";
import type { FirstTables } from "./migrations/2026-11-29T00-00-00-first.ts";

/** The texts of which only some are stored. */
type Narrowed = {
  bounces: { kind: ReportKind };
  consent_events: { event: ConsentEvent; way: LeavingWay | null };
  contact_messages: { held_reason: QuarantineReason | null };
  pictures: { media_type: "image/png" | "image/jpeg" | "image/gif" | "image/webp" };
  plans: { audience: "all" | null };
  send_rows: { state: RowState };
  sends: { state: SendState };
  subscribers: { held_reason: QuarantineReason | null };
};

type Narrow<Name, Columns> = Name extends keyof Narrowed
  ? Omit<Columns, keyof Narrowed[Name]> & Narrowed[Name]
  : Columns;

/** The columns and what they mean are in the first migration. */
export type Database = { [Name in keyof FirstTables]: Narrow<Name, FirstTables[Name]> };

/** A database or a transaction. */
export type Db = Kysely<Database>;

/** The field that people don't see was filled in. */
export type QuarantineReason = "hidden_field";

export type ConsentEvent =
  | "signed_up"
  | "held"
  | "imported"
  | "added"
  | "released"
  | "confirmed"
  | "bounced"
  | "complained"
  | "left";

/** `one_click`: a mail program's button (RFC 8058). `expired`: the end of an implied consent. */
export type LeavingWay = "link" | "one_click" | "operator" | "import" | "expired";

export type SendState = "waiting" | "sending" | "paused" | "finished" | "cancelled";

/** The first three are open. `refused`: by the receiver. `withdrawn`: never handed over again. */
export type RowState =
  | "waiting"
  | "handed_over"
  | "deferred"
  | "accepted"
  | "refused"
  | "withdrawn";

/** `hard`: the address is gone. `soft`: it refused this mail. `complaint`: reported as spam. */
export type ReportKind = "hard" | "soft" | "complaint";
