/**
 * Words of the stand-in popup, for as long as no scheduling provider is set. Its script, `assets/external/widget.js`, has
 * the same interface as a provider's, `Calendly.initPopupWidget`, shows how to book by phone or email, and fetches nothing.
 * It is sent as it is written, so what there is to say of it stands here.
 */
export const scheduling = {
  /** What the stand-in's script reads from its own data attributes. */
  standIn: ({ email, phone }: { email: string; phone: string }) => ({
    email,
    phone,
    title: "Book your free consultation",
    intro:
      "Call or email us with a time that works for you. We’ll confirm it and call you then: 30 minutes, no charge.",
    phoneLabel: "Phone",
    emailLabel: "Email",
    emailSubject: "Free 30-minute consultation",
    hoursLabel: "Hours",
    hours: "Monday to Friday 9 AM to 6 PM EST",
    closeLabel: "Close",
  }),
} as const;
