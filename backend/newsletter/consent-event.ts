/**
 * What happened with somebody's consent. `signed_up`, `held` and `imported` come with the wording that was agreed to;
 * the others refer to what is there.
 */
export type ConsentEvent =
  | "signed_up"
  | "held"
  | "imported"
  | "released"
  | "confirmed"
  | "bounced"
  | "complained"
  | "left";

/** How somebody left: the page behind the link, a mail program's button (RFC 8058), or a letter to the operator. */
export type LeavingWay = "link" | "one_click" | "operator";
