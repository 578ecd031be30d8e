/** What a row of a list can be. Only the confirmed are ever sent an issue. */
export const listedStates = ["confirmed", "unconfirmed", "bounced", "unsubscribed"] as const;
export type ListedState = (typeof listedStates)[number];

/** What a column of a list says. */
export type Meaning =
  | "email"
  | "state"
  | "subscribed_at"
  | "confirmed_at"
  | "unsubscribed_at"
  | "bounced_at"
  | "consent_text"
  | "consent_page"
  | "consent_address";

/** How a program writes its subscribers into a file. Names of columns and values are in lower case. */
export type ListFormat = {
  name: string;
  /** Sets of columns; a file that has all of one is this program's. */
  signatures: readonly (readonly string[])[];
  columns: Readonly<Record<string, Meaning>>;
  /** What stands in the column of the state; null where it doesn't tell who has left. */
  states?: Readonly<Record<string, ListedState | null>>;
  /** What rows are where the file doesn't say; `times`: whatever the times of the row say. */
  unsaid: ListedState | "times";
  /** What the operator has to know of such a file. */
  note?: string;
};

export const meanings: Record<Meaning, string> = {
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
