type Signature = "Drawn by" | "Checked by" | "Built by";

export type TeamMember = {
  /** Ties the owner's words to a person; without one, they are about somebody new. */
  id?: string;
  role: string;
  does: string;
  signs?: Signature;
  /** Until it is filled in, only the role shows. */
  name: string | null;
  /** The path of a square picture; empty or absent for none. */
  portrait?: string;
};

/** The founding team. Names and portraits are the operator's to fill in; nobody is invented. */
export const team: readonly TeamMember[] = [
  {
    id: "audit-lead",
    role: "Audit lead",
    does: "Sits in your office and in your truck, times the work and writes the four documents. The one you call when a number looks wrong.",
    signs: "Drawn by",
    name: null,
  },
  {
    id: "client-partner",
    role: "Client partner",
    does: "Keeps the roadmap honest after the build: what it saved, what it didn’t, what comes next, and what should be switched off.",
    signs: "Checked by",
    name: null,
  },
  {
    id: "automation-engineer",
    role: "Automation engineer",
    does: "Draws the workflows and builds them, tests them on your real jobs, and leaves behind something another engineer could take over.",
    signs: "Built by",
    name: null,
  },
];
