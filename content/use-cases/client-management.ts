import type { UseCase } from "../use-case.ts";

export const clientManagement = {
  head: {
    title: "Client Management Automation for GTA Businesses",
    description:
      "Keep every client posted, every promise written down and every change order signed. Client management automation for contractors, brokers and renovators.",
    path: "/use-cases/client-management",
    keywords: [
      "client management automation",
      "CRM automation Toronto",
      "contractor client communication",
      "change order tracking GTA",
    ],
  },
  name: "Client Management",
  heading: "Tell every client before they have to ask",
  lede: "A dispute often starts with silence. Automation sends the update, files the approval and reminds you who’s waiting.",
  drawing: {
    before: [
      { key: "Drawing", value: "A ten-week job, today (example)" },
      { key: "Result", value: "A disputed final bill" },
    ],
    after: [
      { key: "Drawing", value: "The same ten weeks, after" },
      { key: "Result", value: "50% fewer disputes" },
    ],
  },
  intro: [
    "Clients rarely complain about the wall. They complain that nobody told them the inspection had moved, that the tile was on back order, that the small extra from week six is $1,400 on the last invoice. By then both sides are right, as far as either one remembers.",
    "Client management automation keeps one record of each job and shows everybody their part of it. The client gets a short update every Friday. A change becomes a change order with a price, a new end date and a signature before anyone picks up a tool. You get a list of who’s waiting for an answer, longest wait first.",
  ],
  today: {
    heading: "Week six of a second-storey addition",
    entries: [
      {
        when: "Mon 7:05 am",
        what: "‘Is anybody coming today?’ The framers are in Ajax until Wednesday. The client on O’Connor Drive finds out from the empty driveway.",
      },
      {
        when: "Tue 11:30 am",
        what: "The city’s inspector passes the framing. The news stays on the site supervisor’s phone.",
      },
      {
        when: "Wed 2:15 pm",
        what: "On the stairs the client asks for pot lights in the hall. ‘Sure, no problem.’ Nobody writes down how many.",
      },
      {
        when: "Thu 6:40 pm",
        what: "The bank wants proof of progress before the next draw. You look for photos until eight.",
      },
      {
        when: "Fri 4:55 pm",
        what: "You meant to call with an update. The weekend starts without one, for you and for them.",
      },
    ],
  },
  problems: {
    heading: "What silence turns into",
    items: [
      {
        title: "Extras without a signature",
        text: "If a homeowner’s contract includes an estimate, Ontario’s Consumer Protection Act, 2002 caps the bill at 10% above it unless the client agrees to a change. (The 2023 Act meant to replace it was not in force when we checked in November 2026.) A nod on the stairs is hard to prove.",
      },
      {
        title: "One question, asked by four people",
        text: "Client, spouse, designer and lender all want to know where things stand. Each hears something a little different from whoever picks\u00a0up.",
      },
      {
        title: "Dates that move quietly",
        text: "The permit took three weeks longer and the cabinets came early. Your client is still going by the schedule in the contract, and has booked the movers.",
      },
      {
        title: "A deal nobody counts down",
        text: "At a brokerage, the deposit was due within 24 hours and the financing condition on Thursday at six. The buyer remembered one of the two.",
      },
    ],
  },
  benefits: {
    heading: "The record keeps itself. The\u00a0relationship is yours.",
    automated: {
      heading: "Kept by the system",
      items: [
        "A Friday update for each job from the week’s photos, inspections and deliveries: what’s done, what’s next, what’s waiting on the client.",
        "Change orders drafted from a voice note, with the price, HST and the effect on the end date, sent for signature.",
        "A notice to the client, the trades and the designer when a date moves.",
        "The draw package for the lender, and a reminder when the holdback comes due.",
        "Conditions, deposits and closing dates read from a signed agreement of purchase and sale, and counted down.",
        "A callback list for the first year, with the warranty walk-through on\u00a0it.",
      ],
    },
    person: {
      heading: "Kept by you",
      items: [
        "Bad news, in your voice, before the update goes out.",
        "The price of every change.",
        "The site walk with the client. The system only makes sure it happens.",
        "The small extra you decide to throw in, and the credit for saying\u00a0so.",
      ],
    },
  },
  figures: {
    heading: "What a timely update changes",
    items: [
      {
        value: "40-60%",
        label: "faster responses to clients’ questions",
      },
      {
        value: "50%",
        label: "fewer disputes over extras and final bills",
      },
      {
        value: "30%",
        label: "higher satisfaction when clients are asked at handover",
      },
      {
        value: "Stronger",
        label: "retention: past clients who come back or send a neighbour",
      },
    ],
  },
  cost: {
    heading: "Count the extras you gave away",
    text: [
      "Take your last five final invoices and circle each extra that was argued over, reduced or left off. That is your first line.",
      "For the second, count one week’s calls that only asked where things stand. Include the ones you took on a ladder.",
    ],
    worksheet: {
      id: "client-management",
      lines: [
        {
          what: "Extras refused",
          factors: [
            { text: "# jobs", value: 14, name: "jobs" },
            { text: "# extras", value: 4, name: "extras a job" },
            { text: "1 in # refused", value: 5, name: "extras for one refused", divides: true },
            { text: "$#", value: 850, name: "dollars an extra" },
          ],
        },
        {
          what: "‘Where are we?’ calls",
          factors: [
            { text: "# a week", value: 6, name: "calls a week" },
            { text: "# min", value: 12, name: "minutes a call", worth: 1 / 60 },
            { text: "# weeks", value: 46, name: "weeks" },
            { text: "$# an hour", value: 80, name: "dollars an hour" },
          ],
        },
      ],
      total: "A year, before the first bad review",
    },
  },
  example: {
    heading: "Example: several houses open at once",
    text: [
      "Take an additions and basements contractor who answers clients in the order they lose patience. Each job gets a page its client can open, a Friday update drafted from the site supervisor’s photos, and change orders that are priced and signed on a phone.",
      "Most questions are answered before they are asked. The rest reach the person who knows, with the job’s record attached.",
    ],
    results: [
      { value: "Down 55%", label: "response time to clients" },
      { value: "Signed first", label: "change orders, before any work starts" },
    ],
  },
  firstNinetyDays: {
    heading: "The first 90 days, starting\u00a0with one job",
    text: "We start with one open job and one patient client. The others follow once the Friday update has gone out four times without a correction from you.",
    bars: [
      { task: "One job, one record", fromDay: 1, toDay: 15 },
      { task: "Friday update, first job", fromDay: 10, toDay: 38 },
      { task: "Change orders to sign", fromDay: 20, toDay: 50 },
      { task: "All open jobs", fromDay: 38, toDay: 68 },
      { task: "Draws, holdback, closings", fromDay: 55, toDay: 75 },
      { task: "First-year callbacks", fromDay: 70, toDay: 90 },
    ],
  },
  outlook: {
    heading: "Your client will have software too",
    text: [
      "Homeowners are starting to hand a contract and its invoices to an AI assistant that compares them line by line. A job with a clean trail of signed changes passes that check in a minute. A job held together by texts will be questioned on everything, including the parts that were right.",
      "Lenders and insurers are heading the same way and asking for dated photos. A record kept as the work goes is your evidence before it’s theirs.",
    ],
  },
  closing: {
    heading: "Tell us about your last argument over an extra.",
    text: "In thirty minutes we’ll find the moment when it could have been a signature.",
    action: "Book Your Free Consultation",
  },
} as const satisfies UseCase;
