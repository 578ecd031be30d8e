import { does, type Page, shows } from "./expectations.ts";

export const about: Page = {
  screen: "About",
  path: "/about",
  rows: [
    shows("Sets structured organisation data", {
      structuredData: "Organization",
      has: { name: /./, url: /^http/ },
    }),
    does("Hero with a 'Book Your Free Consultation' button, and a closing call to action", {
      bookingButton: "Book Your Free Consultation",
      opens: "page",
      atLeast: 2,
    }),
    shows("A why-we-exist section", { heading: /why we exist/i, level: 2 }),
    shows(
      "A four-step process: Free Consultation, Audit Delivery, Automation Partnership, Scale & Support",
      {
        rowOf: ["Free Consultation", "Audit Delivery", "Automation Partnership", "Scale & Support"],
      },
    ),
    shows("A 'Stay Informed' link to /newsletter", { link: "Stay Informed", to: "/newsletter" }),
    shows("A founding-team section", { heading: /founding team/i, level: 2 }),
    shows(
      "Three results cards: 15+ hrs/week for a plumbing firm; a 60-agent brokerage; 80% for a renovation firm",
      {
        rowOf: [
          "15+ hrs/week … saved for a plumbing firm",
          [/60[- ]agents?/, "lead nurture", "brokerage"],
          ["80%", /quoting[- ]time/, "cut", "renovation firm"],
        ],
      },
    ),
    shows("Claim: 50+ GTA businesses", { text: "50+ GTA businesses" }),
    shows("An FAQ with three questions", { questions: 3 }),
    shows("Links to /use-cases", { link: /./, to: "/use-cases" }),
    shows("Links to /pricing", { link: /./, to: "/pricing" }),
    shows("Links to an external business-profile page", { link: /profile/i, to: /^https:\/\// }),
  ],
};

export const contact: Page = {
  screen: "Contact",
  path: "/contact",
  rows: [
    shows("Heading 'Get In Touch'", { heading: /^Get In Touch$/, level: 1 }),
    shows("'Send Us a Message' form", { heading: "Send Us a Message" }),
    shows("promising a reply within 24 hours", { text: /reply within 24 hours/i }),
    shows("firstName is required", { field: "firstName", labelled: /first name/i, required: true }),
    shows("lastName is required", { field: "lastName", labelled: /last name/i, required: true }),
    shows("email is required", { field: "email", labelled: /e-?mail/i, required: true }),
    shows("company is not required", { field: "company", labelled: /company/i, required: false }),
    shows("phone (labelled optional)", {
      field: "phone",
      labelled: /phone.*optional/i,
      required: false,
    }),
    shows("subject is not required", { field: "subject", labelled: /subject/i, required: false }),
    shows("message is required", { field: "message", labelled: /message/i, required: true }),
    shows("Contact message box minimum height 120 pixels", {
      field: "message",
      labelled: /message/i,
      minHeightPx: 120,
    }),
    shows("subject is one of six", {
      select: "subject",
      options: [
        ["automation-inquiry", "Automation Inquiry"],
        ["consultation-request", "Consultation Request"],
        ["pricing-information", "Pricing Information"],
        ["technical-support", "Technical Support"],
        ["partnership-opportunities", "Partnership Opportunities"],
        ["general-inquiry", "General Inquiry"],
      ],
    }),
    shows("the button reads 'Send Message'", { button: /^Send Message$/ }),
    shows("A contact card: e-mail address", { link: /@/, to: /^mailto:/ }),
    shows("A contact card: phone number", { text: /\+1 \d{3} \d{3} \d{4}/ }),
    shows("hours Monday to Friday 9 AM to 6 PM EST", { text: "Monday to Friday 9 AM to 6 PM EST" }),
    shows("closed Saturday and Sunday", { text: /closed Saturday and Sunday/i }),
    shows("'Book a Discovery Call' card", { heading: "Book a Discovery Call" }),
    shows(
      "free 30-minute consultation, goals, expert recommendations, no commitment, a free automation audit",
      {
        rowOf: [
          /free 30-minute consultation/i,
          /discuss.*goals/i,
          /expert recommendations/i,
          /no commitment/i,
          /free automation audit/i,
        ],
      },
    ),
    does(
      "a 'Schedule Your Call' button opens the scheduling popup (its own address on the contact page)",
      {
        bookingButton: "Schedule Your Call",
        opens: "contact",
      },
    ),
    shows(
      "'Quick Questions?' card: 1-2 weeks; ongoing support and maintenance; popular business tools",
      {
        rowOf: [
          /most projects finish in 1-2 weeks/i,
          /all plans include ongoing support and maintenance/i,
          /integrates with popular business tools/i,
        ],
      },
    ),
    shows("'Quick Questions?' heading", { heading: "Quick Questions?" }),
    shows("'Prefer a Different Approach?' block", { heading: "Prefer a Different Approach?" }),
    shows("Live Chat, WhatsApp and Newsletter", { rowOf: ["Live Chat", "WhatsApp", "Newsletter"] }),
    shows("Live Chat (text only, not a link)", { notALink: /live chat/i }),
    shows("WhatsApp (text only, not a link)", { notALink: /whatsapp/i }),
    shows("a Newsletter link to /newsletter", { link: /newsletter/i, to: "/newsletter" }),
    shows("a weekly automation-insights newsletter for Toronto businesses", {
      text: /weekly automation-insights newsletter for Toronto businesses/i,
    }),
  ],
};
