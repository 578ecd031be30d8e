/**
 * Words of the stand-in popup, used until a scheduling provider is set. Its script, `assets/external/widget.js`, has
 * the provider's interface, `Calendly.initPopupWidget`, shows how to book by phone or email, and fetches nothing. It is
 * served as written, so its comments are here.
 */
export const scheduling = {
  /** Data attributes that the stand-in's script reads. */
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
