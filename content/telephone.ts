/** A client's words, the one question asked about them, and two answers to it. */
type Client = { says: string; asks: string; answers: readonly [string, string] };

type TradeWords = {
  label: string;
  example: string;
  busy: string;
  /** In the order of the rules below. */
  clients: readonly [Client, Client, Client];
  /** The days of the two openings, from Monday's 0, in the order of the booked client's answers. */
  openings: readonly [number, number];
};

const inTrade = {
  trades: {
    label: "Trades",
    example: "Example Plumbing",
    busy: "I’m on a job",
    clients: [
      {
        says: "A pipe burst in the basement.",
        asks: "Can you reach the main valve?",
        answers: ["It’s shut", "I can’t find it"],
      },
      {
        says: "The kitchen tap drips.",
        asks: "Tuesday at 8 or Thursday at 1?",
        answers: ["Tuesday at 8", "Thursday at 1"],
      },
      {
        says: "I only want a price.",
        asks: "What for? A photo helps.",
        answers: ["A new tap, photo sent", "I’d rather explain it"],
      },
    ],
    openings: [1, 3],
  },
  "real-estate": {
    label: "Real Estate",
    example: "Example Realty",
    busy: "I’m at a showing",
    clients: [
      {
        says: "We want to make an offer tonight.",
        asks: "Do you have an agent already?",
        answers: ["No", "Yes"],
      },
      {
        says: "Can we see the semi this week?",
        asks: "Wednesday at 6 or Friday at 5?",
        answers: ["Wednesday at 6", "Friday at 5"],
      },
      {
        says: "What is our house worth?",
        asks: "Which street is it on?",
        answers: ["Off Danforth, near Pape", "I’d rather say by phone"],
      },
    ],
    openings: [2, 4],
  },
  "home-improvement": {
    label: "Home Improvement",
    example: "Example Renovations",
    busy: "I’m on site",
    clients: [
      {
        says: "Water is coming through the new ceiling.",
        asks: "Is a light or a wire near it?",
        answers: ["No", "Yes, a light"],
      },
      {
        says: "We’re planning a new kitchen.",
        asks: "Tuesday at 5 or Friday at 9?",
        answers: ["Tuesday at 5", "Friday at 9"],
      },
      {
        says: "Only a rough price for a deck.",
        asks: "How long and how wide, about?",
        answers: ["12 by 16 feet", "I’m not sure"],
      },
    ],
    openings: [1, 4],
  },
} as const satisfies Record<string, TradeWords>;

export type TradeId = keyof typeof inTrade;

export const telephone = {
  heading: "Miss a call, get a text",
  text: "Answer as your client would. Fixed rules decide.",
  try: "Try it: miss a call",
  firm: "Your firm",
  trade: "Your trade",
  miss: "Missed call",
  missedAt: "Missed call",
  usual: "under 60 s",
  running: "Your text-back is on its way.",
  seconds: (seconds: number) => `0:${String(seconds).padStart(2, "0")}`,
  log: "The text messages",
  you: "Your firm",
  client: "Your client",
  asClient: "Answer as your client:",
  week: "Your week",
  phone: "Your phone",
  rings: "It rings",
  example: "Example",
  copy: "Copy this text for your own phone",
  copied: "Copied.",
  copyYourself: "Select the text above and copy it.",
  again: "Miss another call",
  callBack: "You call at 5",
  inTrade,
  textBack: (firm: string, trade: TradeId) =>
    `Sorry I missed you, ${inTrade[trade].busy}. This is ${firm}. What do you need?`,
  /** The rule that decides on each client. */
  rules: [
    { to: "ring", says: "What can’t wait rings your phone. A person decides." },
    {
      to: "visit",
      says: "The machine asks one question, and books what is free in your calendar.",
    },
    {
      to: "price",
      says: "The price stays with a person. No machine quotes a job you haven’t seen.",
    },
  ],
  /** The last words of the firm's telephone, or of the owner. */
  last: {
    ring: (firm: string) => `${firm} is calling you now.`,
    visit: (slot: string) => `Booked: ${slot}. A reminder comes the day before.`,
    price: "Thank you. I’ll call you today at 5 with a number.",
  },
} as const;
