import type { LegalDocument } from "../legal-document.ts";

export const terms: LegalDocument = {
  head: {
    title: "Terms & Conditions of Our Services",
    description:
      "The terms on which we consult, audit and build for our clients: ownership, payment, liability, termination and the law of Ontario that governs them.",
    path: "/terms",
  },
  heading: "Terms & Conditions",
  lede: "What you can expect of us, what we ask of you, and what happens to the work. Ten sections, written to be read before you sign anything.",
  inForceSince: "2026-11-30",
  law: { key: "Governing law", value: "Ontario, Canada" },
  sections: [
    {
      id: "acceptance",
      heading: "Acceptance of these terms",
      clauses: [
        {
          text: [
            "These terms are between you and ",
            { fact: "name" },
            " (“we”, “us”). They cover this website, the free consultation, the Trade Automation Audit and the Automation Partnership.",
          ],
        },
        {
          text: "You accept them when you book a consultation, ask for an audit, sign a quote or use the website. If you act for a business, you confirm that you have authority to act for it, and “you” means that business.",
        },
        {
          text: "A signed quote or agreement adds to these terms. Where the two differ, the signed document comes first.",
        },
        {
          text: "If you don’t accept these terms, please don’t use the website or our services.",
        },
      ],
    },
    {
      id: "services",
      heading: "Description of services",
      clauses: [
        {
          text: "We offer business-process and AI automation to trade, real estate, home-improvement and commercial businesses in Toronto and the Greater Toronto Area, and to qualified businesses elsewhere in Canada:",
          list: [
            "Free consultation: a discovery call of 30 minutes, at no charge and with no obligation on either side.",
            "Trade Automation Audit: a one-month audit that yields an ROI analysis, benchmarking, workflow designs and a 90-day automation roadmap. You set its price after delivery (section 4).",
            "Automation Partnership (Implementation & Scale): building, scaling and supporting what you choose from the roadmap, by custom quote.",
          ],
        },
        {
          text: "Most projects finish in 1-2 weeks. A date is binding only where a quote says so, and it moves back by any time we spend waiting for access, information or a decision from you.",
        },
        {
          text: "You give us the access the work needs and no more, name a person who can make decisions, and keep your own backups. You share with us only what you are allowed to share.",
        },
        {
          text: "A figure on this website has its published source beside it, or it is our own. An example is only an example. Neither is a promise about your results.",
        },
        {
          text: "Automated output can be wrong. Prices, payments, legal documents and anything else that binds you stay with a person in your business, who checks them before they go out.",
        },
      ],
    },
    {
      id: "ownership",
      heading: "Ownership and code transfer",
      clauses: [
        {
          text: "What was yours stays yours: your data, your documents, your brand, your accounts with other providers. We use them for your work and for nothing else.",
        },
        {
          text: "The audit’s documents belong to you from delivery, whatever price you set. You may use them with us, with someone else or alone.",
        },
        {
          text: "What we build for you alone under a paid quote (workflows, rules, prompts, scripts and their settings) becomes yours when the invoice for it is paid in full. Until then you may use it for your own business.",
        },
        {
          text: "Code transfer has limits. The following does not pass to you:",
          list: [
            "Tools, libraries, templates and methods that we already had or use for several clients. Where your build depends on them, you get a permanent licence, free of charge, to use them inside your own business, but not to sell or publish them.",
            "Software and services of others, which stay under their makers’ licences, open-source licences included.",
            "Passwords, keys and accounts that are ours. We replace them with yours at handover.",
          ],
        },
        {
          text: "Once you have paid in full, you may ask us to hand over what clause 3.3 gives you. We do so once: in the form it runs in, or as an export where the platform allows one, with notes that let another engineer take over. Moving it to another platform is separate work with a quote of its own.",
        },
        {
          text: "We may reuse what we learned, without your data and without naming you. We name you as a client only if you agree in writing.",
        },
        {
          text: "The words, drawings and code of this website are ours or our licensors’. You may read, print and quote them with their source.",
        },
      ],
    },
    {
      id: "payment",
      heading: "Payment structure",
      clauses: [
        {
          text: "The consultation costs $0.",
        },
        {
          text: "The audit is pay what you think it’s worth. We deliver it first; you then tell us its price in writing and we invoice that amount.",
        },
        {
          text: "The Automation Partnership is priced by custom quote, based on the assessment. No work begins before you have accepted the quote in writing. Work beyond it is quoted before it is done.",
        },
        {
          text: "Payment is typically due 30 days from the date of the invoice; a quote may set another date. Amounts are in Canadian dollars, and HST is added where it applies.",
        },
        {
          text: "Other providers’ fees (platforms, telephone, AI models, hosting) are yours to pay unless the quote includes them. The quote names the ones we expect.",
        },
        {
          text: "If an invoice is overdue we write to you first. If it stays unpaid 30 days after that, we may pause the work until it is settled. If you dispute part of it, pay the rest and tell us why; we look for a solution before anything else happens.",
        },
      ],
    },
    {
      id: "third-parties",
      heading: "Third-party services",
      clauses: [
        {
          text: "Our work connects services that others run: accounting, telephone, email, calendars, listing portals, AI models. We choose them with care, but we don’t make them.",
        },
        {
          text: "Each has its own terms, which you accept with its provider. We aren’t responsible for its outages, price changes, errors, withdrawal or handling of data. When one of them changes, we help you adapt; work outside your support plan is quoted.",
        },
        {
          text: "Links on this website lead to pages we don’t control. The booking popup comes from a scheduling provider and follows that provider’s terms.",
        },
      ],
    },
    {
      id: "liability",
      heading: "Limit of liability",
      clauses: [
        {
          text: "We do our work with the skill and care you can expect of a professional firm. Beyond that, and as far as the law allows, the services and the website come without further warranties or conditions, express or implied.",
        },
        {
          text: "As far as the law allows, our total liability for all claims together is capped at the amounts you paid us in the 12 months before the event behind the claim.",
        },
        {
          text: "As far as the law allows, neither of us is liable to the other for indirect or consequential loss, such as lost profit, lost business or lost data that a backup would have restored.",
        },
        {
          text: "Nothing here limits liability for fraud, for wilful misconduct, for death or injury caused by negligence, or wherever a limit is not permitted. If you deal with us as a consumer, your rights under Ontario’s consumer protection law stay as they are.",
        },
        {
          text: "Neither of us is responsible for delay from causes outside our control, for as long as they last.",
        },
      ],
    },
    {
      id: "termination",
      heading: "Termination",
      clauses: [
        {
          text: "Either of us may end the Automation Partnership with 30 days’ written notice. Email counts as writing. No reason is needed.",
        },
        {
          text: "You may stop an audit at any time. We hand over what is finished, and you set a price for it as in clause 4.2.",
        },
        {
          text: "Either of us may end an engagement at once, in writing, if the other breaks an important term and has not put it right 30 days after being told, or becomes insolvent.",
        },
        {
          text: "When an engagement ends, you pay for the work done up to that day, we return or remove our access, and what is yours under section 3 is handed over.",
        },
        {
          text: "For 30 days after the end we help you export your data, in a common format and at no charge. After that we keep the rest for as long as the privacy policy says, then delete\u00a0it.",
        },
        {
          text: "Sections 3, 4, 6 and 8 stay in force afterwards where they still apply.",
        },
      ],
    },
    {
      id: "law",
      heading: "Governing law",
      clauses: [
        {
          text: "These terms are governed by the laws of the Province of Ontario, Canada, and the federal laws of Canada that apply there. Rules that would lead to another law, and the United Nations convention on the international sale of goods, do not apply.",
        },
        {
          text: "If we disagree, we talk first: one of us puts the problem in writing, and we meet within 30 days. What remains goes to the courts of Ontario in Toronto. A consumer may also use any other court the law allows a consumer.",
        },
        {
          text: "If a court finds one of these terms invalid, the others stand. If we let a breach pass once, we can still act on it later.",
        },
      ],
    },
    {
      id: "changes",
      heading: "Changes to these terms",
      clauses: [
        {
          text: "We may change these terms. The version on this page is the one in force since the date shown at the top.",
        },
        {
          text: "A change applies from then on only. Quotes already accepted continue under the terms you accepted; we send you that version on request.",
        },
        {
          text: "If a change matters to work in progress, we write to you at least 30 days before it applies. You may then end the engagement under clause 7.1.",
        },
      ],
    },
    {
      id: "contact",
      heading: "Contact",
      clauses: [
        {
          text: [
            "Questions about these terms, and notices under them, go to ",
            { fact: "name" },
            ", ",
            { fact: "postalAddress" },
            ".",
          ],
        },
        {
          text: ["Email: ", { fact: "email" }, { fact: "phone" }, "."],
        },
        {
          text: [
            "How we treat personal information is in the ",
            { label: "privacy policy", path: "/privacy" },
            ".",
          ],
        },
      ],
    },
  ],
};
