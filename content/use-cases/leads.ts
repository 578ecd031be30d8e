import type { UseCase } from "../use-case.ts";

export const leads: UseCase = {
  head: {
    title: "Lead Automation for Toronto Trades and Agents",
    description:
      "Answer every lead in under a minute, day or night. How lead follow-up automation works for GTA contractors, agents and renovators, and what it returns.",
    path: "/use-cases/leads",
    keywords: [
      "lead automation Toronto",
      "contractor lead follow-up",
      "real estate lead response time",
      "missed call text back GTA",
    ],
  },
  name: "Leads",
  heading: "Answer every lead while it is still warm",
  lede: "A homeowner with water on the floor calls three plumbers and hires the first one who answers. Automation makes sure it’s you, even when you’re under a sink.",
  drawing: {
    before: [
      { key: "Drawing", value: "Lead intake, today" },
      { key: "Result", value: "A job for somebody else" },
    ],
    after: [
      { key: "Drawing", value: "Lead intake, after (example)" },
      { key: "Result", value: "20% more closed projects" },
    ],
  },
  intro: [
    "Leads reach a small firm through six or seven doors: the phone, the website, Google, HomeStars, Instagram, a text from a past client, a sign on a lawn. Each door has its own inbox and its own idea of urgent, and the person who should answer is on a ladder, at a showing or driving the 401.",
    "Lead automation puts one line behind all those doors. Anyone who writes or calls gets an answer within a minute, in your words, and the three questions you always ask. A lead worth a visit lands in your calendar. One that needs your judgment lands on your phone, with everything already written down.",
  ],
  today: {
    heading: "A Tuesday, the way it runs now",
    entries: [
      {
        when: "7:15 am",
        what: "Two web forms from last night. You answer the first from the truck and forget the second.",
      },
      {
        when: "10:40 am",
        what: "A call comes in while you’re on a roof in Leslieville. It goes to voicemail, and the caller doesn’t leave a message.",
      },
      {
        when: "12:30 pm",
        what: "You call back a lead from yesterday over lunch. She signed with somebody else this morning.",
      },
      {
        when: "4:50 pm",
        what: "An agent texts about a condo that needs paint before Friday. You see it at nine.",
      },
      {
        when: "9:10 pm",
        what: "Quotes at the kitchen table. Somewhere in the pile is a form that arrived at 8:02.",
      },
    ],
  },
  problems: {
    heading: "Where the work leaks",
    items: [
      {
        title: "The clock starts without you",
        text: "Someone who fills in a form is at their phone for the next few minutes. An hour later they’re in a meeting, and by tomorrow they have a contractor.",
      },
      {
        title: "Every lead waits its turn",
        text: "A flooded basement and a question about a tap each get a callback. Without those first three answers, you can’t tell which one to call first.",
      },
      {
        title: "Nobody follows up a second time",
        text: "The quote went out, the client went quiet, and the next job started. Nobody asked again, and the client was only waiting on a spouse or a bank.",
      },
      {
        title: "No one knows which door works",
        text: "The lawn signs, the ads and the directory all cost money. When leads live in seven inboxes, nobody can say which of them paid for itself.",
      },
    ],
  },
  benefits: {
    heading: "What we hand to the machine, and what we don’t",
    automated: {
      heading: "Automated",
      items: [
        "A text back within a minute of a missed call, and an answer to every form and message.",
        "The first questions: what, where, how soon, and a photo if there’s something to see.",
        "Real openings from your calendar, with drive times across the GTA built\u00a0in.",
        "A reminder the day before, and a second and third follow-up on every quote until there’s a yes or a\u00a0no.",
        "One list of every lead and where it came from, so the ad budget follows the jobs.",
      ],
    },
    person: {
      heading: "Stays with a person",
      items: [
        "The price. No machine quotes a job you haven’t seen.",
        "Anyone who asks for a human, is upset, or has an emergency: your phone rings.",
        "Saying no to work that isn’t for you.",
        "The handshake on site. Automation gets you there on time, with notes.",
      ],
    },
  },
  figures: {
    heading: "What speed is worth",
    items: [
      {
        value: "7x",
        label:
          "response, counted in real conversations, when the lead is contacted within the hour",
        source: "harvardShortLife",
      },
      {
        value: "391%",
        label: "more conversions when the call comes within the first minute",
        source: "velocifyFirstMinute",
      },
      { value: "8x", label: "loss of interested leads when the first reply is delayed" },
      {
        value: "$5.44",
        label: "return per $1 spent on marketing automation",
        source: "nucleusMarketingAutomation",
      },
    ],
  },
  cost: {
    heading: "What it costs to leave it",
    text: [
      "Count the calls you missed in the last seven days; your phone has the list. Multiply by the share of calls that turn into work, and by what you clear on an average job.",
      "The second cost is your evening. An hour of calling back, five nights a week, adds up to more than a month of working days a year.",
    ],
    worksheet: {
      id: "leads",
      lines: [
        {
          what: "Missed calls",
          factors: [
            { text: "# a week", value: 10, name: "calls a week" },
            { text: "1 in # hired", value: 5, name: "calls for one job", divides: true },
            { text: "$#", value: 400, name: "dollars a job" },
          ],
        },
        {
          what: "Calling back at night",
          factors: [
            { text: "# evenings", value: 5, name: "evenings" },
            { text: "# h", value: 1, name: "hours an evening" },
            { text: "$#", value: 60, name: "dollars an hour" },
          ],
        },
      ],
      total: "Every week",
    },
  },
  example: {
    heading: "Example: a contractor with one phone",
    text: [
      "Take a contractor whose leads all come in on one cellphone. Missed calls get a text back, one form takes the place of three, and the calendar knows the drive from Scarborough to Oakville. Quotes that go quiet get two polite follow-ups, written once in the owner’s own words.",
      "The office work around leads shrinks from most of every evening to a look at one list after lunch. The extra projects are ones that used to be lost to silence.",
    ],
    results: [
      { value: "40+ hours", label: "of admin saved a month" },
      { value: "20% more", label: "closed projects" },
    ],
  },
  outlook: {
    heading: "Who will be asking next",
    text: [
      "People are getting used to an answer at any hour. Soon the one asking will often be software too: an AI assistant collecting three quotes for its owner. Firms that keep their openings, service area and minimum job where software can read them will be on that list.",
      "None of that takes a bigger office. It takes your rules in one place.",
    ],
  },
  closing: {
    heading: "Bring the list of last week’s missed calls.",
    text: "In thirty minutes we’ll work out what they were worth.",
    action: "Book a Free Audit",
  },
};
