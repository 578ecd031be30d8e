/** The label of the honeypot, visible only without styles. */
export const honeypot = { label: "Leave this field empty" } as const;
