/** The words of the use cases' objects. The telephone's are in telephone.ts. */

export const contactSheet = {
  heading: "A month in twelve frames",
  text: "Example: a tick is a published job.",
  title: "Twelve pictures of jobs on a contact sheet, with a tick on those that became a piece",
  legend: "Pieces written in a month",
  before: "4, by hand",
  after: "12, from drafts",
};

export const inbox = {
  heading: "Open a message, see its rule",
  text: "Open an example, or write one. Fixed rules sort it here; nothing is sent.",
  messages: [
    "The ceiling in 904 leaks again",
    "Signed offer, good until 9\u00a0PM",
    "Invoice 2207, no HST number",
    "Webinar: sell more, faster",
  ],
  own: "A message of your own",
  example: "No heat in unit 12",
  sort: "Sort it",
  /** The drawing's pigeonholes. The first rule with a word that begins one of the message's decides. */
  rules: [
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
      words: [
        "unit",
        "suite",
        "street",
        "avenue",
        "ave",
        "crescent",
        "road",
        "permit",
        "inspection",
      ],
      to: "By address",
      says: "It names a place: it goes into that place’s folder.",
    },
  ],
  noRule: {
    to: "To approve",
    says: "No rule fits: a person looks, and the next rule is written from it.",
  },
  filed: (hole: string) => `Filed under ${hole}.`,
};

export const gauge = {
  heading: "How far over are you?",
  text: "What nobody signed for, against the estimate. Example numbers: write in yours.",
  estimate: "Estimate, $",
  extras: "Unsigned extras, $",
  exampleEstimate: "10,000",
  exampleExtras: "750",
  left: (dollars: string) => `${dollars} left under the ten per cent`,
  over: (dollars: string) => `${dollars} over: get it signed first`,
  unread: "Write two amounts.",
};

export const dueRuler = {
  heading: "Slide the invoice",
  text: "Under Ontario’s Construction Act an owner has 28 days to pay, from the day a proper invoice arrives.",
  label: "Days from closing the job to the invoice",
  closed: "closed",
  billed: "billed",
  due: "due",
  sum: (waited: number) =>
    waited === 0
      ? "Billed on the day: due 28 days after the job closed."
      : `Billed ${waited === 1 ? "1 day" : `${waited} days`} late: due on day ${waited + 28} instead of day 28.`,
};
