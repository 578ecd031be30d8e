import type { LegalDocument } from "../legal-document.ts";
import { retention } from "../retention.ts";

function years(count: number): string {
  return count === 1 ? "1 year" : `${count} years`;
}

export const privacy: LegalDocument = {
  head: {
    title: "Privacy Policy: What We Keep and Why",
    description:
      "What personal information we collect through this website and our work, what we use it for, how long we keep it, and how to see, correct or delete\u00a0it.",
    path: "/privacy",
  },
  heading: "Privacy Policy",
  lede: "What we know about you, why, for how long, and how to see, correct or delete it. We set no cookies and don’t track you. The booking service’s script loads with every page; section 3 says what it sees.",
  inForceSince: "2026-11-30",
  law: { key: "Covers", value: "PIPEDA, GDPR, CCPA" },
  summary: [
    {
      key: "Asks for",
      value: "Only what you type into a form. Reading asks for nothing.",
    },
    {
      key: "Keeps",
      value: `Messages ${years(retention.contactMessageYears)}, proof of consent ${years(retention.consentYears)} after you leave, invoices ${years(retention.financialRecordYears)}`,
    },
    {
      key: "Never",
      value: "Sells it, shares it for advertising, or trains an AI model on it",
    },
  ],
  sections: [
    {
      id: "collected",
      heading: "Information we collect",
      clauses: [
        {
          text: "When you send the contact form: your first and last name, your email address and your message; your company, phone number and a subject if you give them; the time, and the network (IP) address that the message came from. Unless your browser asks sites not to track you: which page of this site led you to the form.",
        },
        {
          text: "When you subscribe to {newsletter}: your email address, and the record of your consent that Canada’s anti-spam law (CASL) asks us to be able to show. The record holds the wording shown beside the form, the page, the time and the network address, and later the time you confirmed or unsubscribed. With it we keep which issues were sent to you and whether your mail server accepted them; nothing tells us whether you open one. A link in an issue that leads to this website names the issue, not you: unless your browser asks not to be tracked, we add up each issue’s visits and messages. Where we add you ourselves, because you agreed elsewhere: also your name, if we know it, and how and when you agreed.",
        },
        {
          text: `When you send either form: how long the page had been open, and whether a field that people don’t see was filled in. A message that looks automated is set aside until one of us has read it, and is kept no longer than any other. To stop abuse, we count for an hour how often a network or email address is used. We don’t store the count.`,
        },
        {
          text: "When you book a call: what you type into the booking popup goes to the scheduling provider, which passes us your name, your email address, the time you chose and your answers.",
        },
        {
          text: "When we work for you: names and contact details of the people involved, agreements, invoices and payments, and what we see in the systems you give us access to. Information there about your own clients stays yours; we handle it for you and on your instructions.",
        },
        {
          text: "When you only read, we keep nothing about you. This website sets no cookies and has no advertising or tracking. Our server’s log notes which page was asked for, when, and with what result, without your network address or browser.",
        },
        {
          text: "Your browser keeps one thing for this website, in the tab’s session storage: your draft of the contact form. That is what you typed, when the page was opened, and a random number that keeps a message from arriving twice. It is cleared when your message is sent or the tab is closed. The numbers you write into our sums are added up in your browser and not kept; without scripts, our server adds them up and keeps\u00a0none.",
        },
      ],
    },
    {
      id: "use",
      heading: "How we use it",
      clauses: [
        {
          text: "We use personal information for these purposes and no others:",
          list: [
            "To answer your message and to arrange the call you asked for.",
            "To send {newsletter}, if you subscribed to it, and to prove that you did.",
            "To do the work you hired us for, and to support\u00a0it.",
            "To invoice, to be paid and to keep the books the law requires.",
            "To keep the website safe from abuse, and to meet legal duties.",
          ],
        },
        {
          text: "We rely on your consent for the newsletter; on your request or our contract for messages, bookings and work; on law for financial records and consent records; and on our legitimate interest in a safe website for the network address kept with a message.",
        },
        {
          text: "A message through the contact form is not a subscription. You get the newsletter only if you ask for it. Every issue we send carries a link that ends it with one click, at once and without signing\u00a0in.",
        },
        {
          text: "We don’t sell personal information, don’t share it for advertising, don’t build profiles, and make no decision about you by machine alone. Messages and client data are not used to train AI models.",
        },
      ],
    },
    {
      id: "third-parties",
      heading: "Third-party tools",
      clauses: [
        {
          text: "Some of the work is done by other companies, each of which gets what it needs for its task:",
          list: [
            "Hosting: the company whose machines run this website and its database, or a hosted database service that keeps them for us. Like every host it carries your network address while it delivers a page, and may use it to fend off attacks.",
            "Email: the provider that carries contact messages to us, and confirmations and newsletters to you.",
            "Scheduling: the provider of the booking popup. Its script and stylesheet come with every page, since the navigation bar asks for them, so it sees your network address and browser on each page you open. Once you open the popup, its own privacy policy applies, and it may set cookies of its own.",
            "Automation: the service that looks after our mailing list may be told that an address has subscribed, confirmed or unsubscribed, and when.",
            "Client work: the tools named in your quote, under their own terms.",
          ],
        },
        {
          text: "An issue of {newsletter} can show a picture kept on another company’s server. Loading it tells that server your network address.",
        },
        {
          text: "We disclose information to anyone else only if you ask us to, if the law compels us, or if the firm passes to a new owner who is bound by this policy.",
        },
      ],
    },
    {
      id: "storage",
      heading: "Storage and protection",
      clauses: [
        {
          text: "Contact messages and sign-ups are stored in the website’s database. A contact message is also emailed to us, and that copy stays in our mailbox.",
        },
        {
          text: "We protect information in keeping with how sensitive it is: encrypted connections, access only for the people who need it, no public access to the tables that hold it, and software kept up to date. This website takes no card payments and has no accounts or passwords.",
        },
        {
          text: "No protection is complete. If a breach creates a real risk of significant harm to you, we tell you and the Privacy Commissioner of Canada as soon as we can, as PIPEDA requires, and any other authority that must be told.",
        },
      ],
    },
    {
      id: "rights",
      heading: "Your rights and choices",
      clauses: [
        {
          text: [
            `Write to `,
            { fact: "email" },
            ` to see what we hold about you, to have it corrected or deleted, to get a copy that another program can read, to object to a use, or to withdraw consent. It is free. We carry out deletion requests within ${retention.requestDays} days. To be sure we’re talking to the right person, we may ask you to write from the address in question.`,
          ],
        },
        {
          text: "We may have to keep some of it: invoices, proof of consent, or what a legal dispute needs. We then tell you what and for how long, and use it for nothing else.",
        },
        {
          text: "In Canada: we comply with the Personal Information Protection and Electronic Documents Act (PIPEDA) and with other Canadian privacy law that applies. If our answer doesn’t satisfy you, you may complain to the Office of the Privacy Commissioner of Canada.",
        },
        {
          text: "In the European Union, the European Economic Area and the United Kingdom: where the General Data Protection Regulation (GDPR) or its UK counterpart applies, you have the rights of access, rectification, erasure, restriction, portability and objection, and may complain to your data protection authority.",
        },
        {
          text: "In California: where the California Consumer Privacy Act (CCPA) applies, you may know, correct and delete your personal information, through an agent if you like, and are not treated worse for it. We neither sell nor share personal information as the Act uses these words.",
        },
        {
          text: "To leave the newsletter, use the link in any issue or write to us. To keep the scheduling provider out, don’t open the popup, block its script in your browser, and write to us instead; the rest of the website works without\u00a0it.",
        },
      ],
    },
    {
      id: "retention",
      heading: "How long we keep it",
      clauses: [
        {
          text: "We keep personal information for these periods, then delete it or remove everything that points to a person:",
          table: {
            caption: "Retention periods",
            columns: ["What", "How long"],
            rows: [
              [
                "Contact messages",
                `${years(retention.contactMessageYears)} after your last message`,
              ],
              [
                "Network address kept with a contact message",
                `${retention.contactAddressDays} days after the message`,
              ],
              [
                "Newsletter sign-up and consent record, with its network address",
                `As long as you are subscribed, and ${years(retention.consentYears)} after the subscription ends`,
              ],
              [
                "A sign-up that is never confirmed",
                `${years(retention.unconfirmedSignUpYears)} after it was asked for`,
              ],
              [
                "The sending queue’s copy of an email or notification",
                `${retention.deliveryDays} days after it was sent`,
              ],
              [
                "Data of a client whose account is terminated",
                `${years(retention.clientDataYears)} after termination`,
              ],
              [
                "Invoices, payments and other financial records",
                years(retention.financialRecordYears),
              ],
              [
                "A\u00a0scrambled form of your address after a deletion you asked for, or once your unsubscribe record is deleted, kept only so an old list or backup can’t sign you up again",
                "As long as we send the newsletter, or until you subscribe again",
              ],
              ["Server log", "Holds no personal information"],
            ],
          },
        },
        {
          text: "If you become a client, your messages are part of your client data from then on. If you ask us to delete earlier, section 5 applies.",
        },
        {
          text: "A deleted entry can live on in a backup until that backup is replaced. We use backups only for recovery, and delete the entry again after one.",
        },
      ],
    },
    {
      id: "transfers",
      heading: "International transfers",
      clauses: [
        {
          text: "We work in Ontario. Some of the companies in section 3 keep or handle information outside Canada, for example in the United States or the European Union, where courts and authorities may have access to it under local law.",
        },
        {
          text: "We stay accountable for it, as PIPEDA requires, and bind these companies by contract to protect it to a comparable standard. Where the GDPR applies to a transfer, we rely on an adequacy decision, such as the European Commission’s for commercial organizations in Canada, or on its standard contractual clauses.",
        },
      ],
    },
    {
      id: "changes",
      heading: "Changes to this policy",
      clauses: [
        {
          text: "The policy on this page is the one in force since the date shown at the top. We send earlier versions on request.",
        },
        {
          text: "Before we use information we already have for a new purpose, we ask you. If a change matters to clients or subscribers, we write to them before it applies.",
        },
      ],
    },
    {
      id: "contact",
      heading: "Contact",
      clauses: [
        {
          text: [
            "Write to the person responsible for privacy at ",
            { fact: "name" },
            ", ",
            { fact: "postalAddress" },
            ".",
          ],
        },
        {
          text: [
            "Email: ",
            { fact: "email" },
            { fact: "phone" },
            `. We answer privacy inquiries within ${retention.requestDays} days, and most of them sooner.`,
          ],
        },
        {
          text: [
            "The rules for our services are in the ",
            { label: "terms and conditions", path: "/terms" },
            ".",
          ],
        },
      ],
    },
  ],
};
