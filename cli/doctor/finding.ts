/**
 * One thing that the doctor looked at. `attention`: something is broken or missing that visitors or the firm depend on.
 * `note`: worth knowing, and fine while trying things out.
 */
export type Finding = {
  about: string;
  state: "ok" | "note" | "attention";
  message: string;
  /** What to do about it, where there is something. */
  advice?: string;
};
