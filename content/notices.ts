import { ownWords, type WithOwnWords } from "./own-words.ts";

/** `neutral` reports success, `destructive` a failure and what to do about it. */
type NoticeStyle = "neutral" | "destructive";

export type Notice = { style: NoticeStyle; title: string; text: string };

export type OtherWays = { email: string; phone: string } & WithOwnWords;

/** Our own notices for a time of very many forms. `{when}` is the wait in words. */
export const busyWords = {
  message:
    "We’re getting a lot of messages right now. What you wrote is still in the form: please send it again {when}, or reach us at {email} or {phone}.",
  signUp:
    "We’re getting a lot of sign-ups right now. Please try again {when}, or reach us at {email} or {phone}.",
};

/**
 * The contact form's notices (specification, section 8); only the text of `limited` is ours. It names no sender,
 * because others may have used up the limit.
 */
export const contactNotices = {
  missing: {
    style: "destructive",
    title: "Missing Information",
    text: "Please fill in all required fields.",
  },
  invalidEmail: {
    style: "destructive",
    title: "Invalid Email",
    text: "Please enter a valid email address.",
  },
  failed: (email: string) => ({
    style: "destructive",
    title: "Failed to Send Message",
    text: `Please try again later or contact us directly at ${email}.`,
  }),
  limited: (waitSeconds: number, site: OtherWays) => ({
    style: "destructive",
    title: "Failed to Send Message",
    text: busyText("message", waitSeconds, site),
  }),
  sent: {
    style: "neutral",
    title: "Message Sent Successfully!",
    text: "Thank you for contacting us. We'll get back to you within 24 hours.",
  },
} as const satisfies Record<string, Notice | ((...facts: never[]) => Notice)>;

/**
 * The subscribe form's notices (specification, section 8); only the text of `limited` is ours. The answer's own message
 * replaces a default text.
 */
export const subscribeNotices = {
  missing: {
    style: "destructive",
    title: "Missing Information",
    text: "Please enter your email address.",
  },
  functionError: {
    style: "destructive",
    title: "Subscription Failed",
    text: "There was an issue processing your subscription. Please try again.",
  },
  refused: {
    style: "destructive",
    title: "Subscription Issue",
    text: "There was an issue with your subscription.",
  },
  limited: (waitSeconds: number, site: OtherWays) => ({
    style: "destructive",
    title: "Subscription Failed",
    text: busyText("signUp", waitSeconds, site),
  }),
  duplicate: {
    style: "neutral",
    title: "Already Subscribed",
    text: "This email is already subscribed to our newsletter.",
  },
  subscribed: {
    style: "neutral",
    title: "Successfully Subscribed!",
    text: "Thank you for subscribing to our newsletter.",
  },
  unexpected: {
    style: "destructive",
    title: "Subscription Failed",
    text: "An unexpected error occurred. Please try again later.",
  },
} as const satisfies Record<string, Notice | ((...facts: never[]) => Notice)>;

function busyText(form: keyof typeof busyWords, waitSeconds: number, site: OtherWays): string {
  return ownWords(site, "busy", busyWords)
    [form].replaceAll("{when}", inTime(waitSeconds))
    .replaceAll("{email}", site.email)
    .replaceAll(site.phone ? "{phone}" : / or \{phone\}|\{phone\}/g, onOneLine(site.phone));
}

/** `in a minute`, `in 12 minutes`, `in an hour`: rounded up. */
function inTime(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes <= 1) return "in a minute";
  return minutes === 60 ? "in an hour" : `in ${minutes} minutes`;
}

/** With non-breaking spaces. */
function onOneLine(phone: string): string {
  return phone.replaceAll(" ", "\u00a0");
}
