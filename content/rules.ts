/** A rule: the beginnings of the words that it looks for, where what has one of them goes, and the rule as a sentence. */
export type Rule<Place extends string> = {
  words: readonly string[];
  to: Place;
  says: string;
};

/** Who takes a client's text: the telephone rings, a person names the price, or the machine books a visit. */
export type Taker = "ring" | "price" | "visit";

/** Of these and the tables below, the first that fits decides, and the last takes what no other does. */
export const phoneRules: readonly Rule<Taker>[] = [
  {
    words: ["burst", "flood", "water is", "gas", "smoke", "spark", "no heat", "offer", "tonight"],
    to: "ring",
    says: "What can’t wait rings your phone. A person decides.",
  },
  {
    words: ["price", "cost", "how much", "worth", "quote", "estimate"],
    to: "price",
    says: "The price stays with a person. No machine quotes a job you haven’t seen.",
  },
  {
    words: [],
    to: "visit",
    says: "The machine asks one question, and books what is free in your calendar.",
  },
];

/** The pigeonholes of the drawing on email management. */
export const inboxRules: readonly Rule<string>[] = [
  {
    words: ["leak", "burst", "flood", "no heat", "no hot water", "smoke", "gas", "urgent"],
    to: "Now",
    says: "Water, heat, gas or smoke: it rings your phone, then it is filed.",
  },
  {
    words: ["lawyer", "claim", "legal", "complain", "dispute"],
    to: "Now",
    says: "Anything that a lawyer will read goes to a person, unanswered.",
  },
  {
    words: ["unsubscribe", "sale", "webinar", "newsletter", "flyer", "% off", "free trial"],
    to: "To keep",
    says: "Nobody waits for an answer: kept, and out of the way.",
  },
  {
    words: ["approve", "approval", "sign", "change order", "quote", "offer", "price"],
    to: "To approve",
    says: "It asks for a yes: a draft of the answer waits beside it for yours.",
  },
  {
    words: ["invoice", "payment", "deposit", "statement", "receipt", "hst", "paid", "overdue"],
    to: "Money",
    says: "Money goes to one place, and nothing is paid from there without you.",
  },
  {
    words: ["order", "shipped", "delivery", "deliver", "supplier", "backorder", "in stock"],
    to: "Suppliers",
    says: "A supplier’s dates go beside the order that they belong to.",
  },
  {
    words: ["unit", "suite", "street", "avenue", "ave", "crescent", "road", "permit", "inspection"],
    to: "By address",
    says: "It names a place: it goes into that place’s folder.",
  },
  {
    words: [],
    to: "To approve",
    says: "No rule fits: a person looks, and the next rule is written from it.",
  },
];

/** On specialized agents: the message goes out by itself, or it stops at the counter. */
export const counterRules: readonly Rule<"out" | "counter">[] = [
  {
    words: ["$", "price", "cost", "pay", "invoice", "refund", "extra", "discount"],
    to: "counter",
    says: "Every price, every payment and every yes is yours.",
  },
  {
    words: ["angry", "upset", "hurt", "lawyer", "complain", "somebody", "human", "unacceptable"],
    to: "counter",
    says: "Anyone who is angry, hurt or asking for a human comes to you.",
  },
  {
    words: ["clearance", "certificate", "permit", "renew", "expire", "attached"],
    to: "out",
    says: "A paper with a date: file it, and ask again 14 days before it ends.",
  },
  {
    words: ["when", "what time", "arrive", "schedule", "which day", "address"],
    to: "out",
    says: "A question that the calendar answers: answer it, and write it down.",
  },
  { words: [], to: "counter", says: "No rule fits, and it doesn’t guess: it asks you." },
];
