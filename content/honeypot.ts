/** The label of the field that only programs fill in, for a page that is shown without its styles. */
export const honeypot = { label: "Leave this field empty" } as const;
