/**
 * What happened with somebody's consent. `signed_up`, `held` and `imported` come with the wording that was agreed to;
 * `moved_here` carries over what was agreed to at the reader's address before; the others refer to what is there.
 */
export type ConsentEvent =
  | "signed_up"
  | "held"
  | "imported"
  | "released"
  | "confirmed"
  | "bounced"
  | "complained"
  | "moved_away"
  | "moved_here"
  | "left";

/**
 * How somebody left: the page behind the link, a mail program's button (RFC 8058), a letter to the operator, or, as an
 * address that bounced, in another program whose list was imported.
 */
export type LeavingWay = "link" | "one_click" | "operator" | "import";
