/** An example, as a client hears it. `{firm}` becomes the visitor's firm. */
export const telephone = {
  heading: "Miss a call, get a text",
  text: "The finished exchange. Press to replay it as your client sees it.",
  play: "Miss a call",
  log: "The text messages",
  sent: "under 60 s",
  you: "You",
  client: "Your client",
  messages: [
    { by: "you", text: "Sorry I missed you, I’m on a job. This is {firm}. What do you need?" },
    { by: "client", text: "The kitchen tap drips." },
    { by: "you", text: "Tuesday at 8 or Thursday at 1?" },
    { by: "client", text: "Thursday at 1" },
    { by: "you", text: "Booked. I’ll remind you the day before." },
  ],
  /** Days count from Monday's 0. */
  bookedDay: 3,
  firm: "Your firm",
  copy: "Copy the text",
  copied: "Copied.",
  copyYourself: "Select the first message and copy it.",
} as const;
