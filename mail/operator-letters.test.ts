import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import { contactMessage } from "#tests/contact-message.ts";
import { mailerForEachTest } from "#tests/mailer-for-each-test.ts";
import { testSite } from "#tests/site-identity.ts";
import { createDeliverers } from "./deliverers.ts";
import { contactEmail } from "./operator-letters.ts";

const payload = {
  messageId: 12,
  ...contactMessage,
  company: "Souza Plumbing",
  phone: "+1 416 555 0199",
  subject: "pricing-information",
  message: "Hello,\n\n  we have 3 vans.\n",
  receivedAt: "2026-11-21T14:05:09.123Z",
};

const mailing = mailerForEachTest();

async function sendAndReceive(changes: Partial<typeof payload & { isQuick: boolean }>) {
  const message = contactEmail({
    deliveryId: "id-1",
    createdAt: payload.receivedAt,
    payload: { ...payload, ...changes },
    contactTo: "desk@chalkline.example",
    site: testSite,
  });
  await mailing.mailer.send(message);
  const mail = mailing.server.received.at(-1);
  if (!mail) throw new Error("No mail arrived.");
  return { ...mail, email: await PostalMime.parse(mail.source) };
}

test("says who, what and when, with the words quoted", async () => {
  const { email } = await sendAndReceive({});
  expect(email.text).toContain("Subject: Pricing Information\n");
  expect(email.text).toContain("Received: November 21, 2026 at 9:05 AM EST\n");
  expect(email.text).toContain("Message number: 12\n");
  expect(email.text).toContain("> Hello,\n>\n>   we have 3 vans.\n");
  expect(email.html).toContain("Hello,<br>\n<br>\n  we have 3 vans.<br>\n");
  expect(email.html).toContain("November 21, 2026 at 9:05 AM EST");
});

test.each([
  ['Ana "the Wrench"', "O'Neil, Jr."],
  ["李", "小龙 🛠"],
  ["Ana <boss@evil.example>", "Souza;"],
  ["=?utf-8?Q?Boss?=", "=?utf-8?B?Qm9zcw==?="],
  ["=?UTF-8?Q?=0D=0ABcc:_victim=40evil.example?=", "Souza"],
  [`=?utf-8?Q?${"long ".repeat(15)}?=`, "x".repeat(100)],
  ["👩‍🔧", "می‌خواهم"],
])(
  "keeps the name %s %s whole in Reply-To, and no encoded word in it",
  async (firstName, lastName) => {
    const { email } = await sendAndReceive({ firstName, lastName });
    const name = `${firstName} ${lastName}`.replaceAll("=?", "= ?");
    expect(email.replyTo).toEqual([{ name, address: "ana@souza.example" }]);
    expect(email.subject).toBe(`Contact form: Pricing Information, from ${name}`);
  },
);

/** Any other header would be a visitor's injection. */
const knownHeaders = [
  ...["auto-submitted", "content-transfer-encoding", "content-type", "date", "from", "message-id"],
  ...["mime-version", "reply-to", "subject", "to"],
];

test.each([
  "Eve\r\nBcc: victim@evil.example\r\n\r\nbody",
  "Eve\nTo: victim@evil.example",
  "Eve\u2028Bcc: victim@evil.example",
  'Eve" <victim@evil.example>, "',
  "=?utf-8?q?Eve=0D=0ABcc:_victim@evil.example?=",
  "Hello\r\n.\r\nMAIL FROM:<eve@here.example>\r\nRCPT TO:<victim@evil.example>\r\nDATA\r\nSubject: smuggled\r\n\r\nsmuggled\r\n.\r\n",
  "--boundary\r\nContent-Type: text/html\r\n\r\n<script>alert(1)</script>",
])("%j in any field adds no header, no recipient and no mail", async (evil) => {
  const { from, to, email } = await sendAndReceive({
    firstName: evil,
    lastName: evil,
    subject: evil,
    company: evil,
    phone: evil,
    message: evil,
    email: "ana@souza.example\r\nBcc: victim@evil.example",
  });
  expect(mailing.server.received).toHaveLength(1);
  expect([from, ...to]).toEqual(["site@chalkline.example", "desk@chalkline.example"]);
  const names = email.headers.map(({ key }) => key);
  expect(names.filter((name) => !knownHeaders.includes(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  expect([...(email.cc ?? []), ...(email.bcc ?? []), ...(email.replyTo ?? [])]).toEqual([]);
  expect(email.attachments).toEqual([]);
});

test.each([
  "<a@b.example>",
  "a@b.example,c",
  '"a"@b.example',
  "=?utf-8?q?boss=40evil.example?=@c.example",
  "a\u202eb@c.example",
  "a\u200bb@c.example",
])(
  "an address that could mean another, %j, stands in the text and not in Reply-To",
  async (address) => {
    const { email } = await sendAndReceive({ email: address });
    expect(email.replyTo ?? []).toEqual([]);
    expect(email.text).toContain("see Email above");
  },
);

test("an address in another script gets the reply", async () => {
  const { email } = await sendAndReceive({ email: "josé@souza.example" });
  expect(email.replyTo?.[0]?.address).toBe("josé@souza.example");
});

test("an address that the mail server can't put in a header is told in the text", async () => {
  mailing.server.mode = "ascii";
  const contactTo = "desk@chalkline.example";
  const deliver = createDeliverers({ ...mailing, contactTo, site: testSite, webhook: null });
  await deliver["contact-email"]({
    deliveryId: "id-1",
    createdAt: payload.receivedAt,
    payload: { ...payload, email: "josé@souza.example" },
    signal: AbortSignal.timeout(10_000),
  });
  const [mail] = mailing.server.received;
  expect(mail?.email.replyTo).toBeUndefined();
  expect(mail?.email.text).toContain("Email: josé@souza.example");
  expect(mail?.email.text).toContain("No reply address could be set");
});

test("markup in the visitor's words is shown, not obeyed", async () => {
  const words = `<script>alert(1)</script><a href="https://evil.example" onclick='x'>&amp;`;
  const { email } = await sendAndReceive({ message: words, company: words, firstName: words });
  expect(email.html).not.toMatch(/<script|<a /);
  expect(email.html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(email.html).toContain("&#39;x&#39;&gt;&amp;amp;");
  expect(email.text).toContain(`> ${words}`);
});

test.each([
  ["Souza\u202egro.live", "Souza[U+202E]gro.live"],
  ["Sou\u200bza\u2066x\u2069", "Sou[U+200B]za[U+2066]x[U+2069]"],
  ["\u200fSouza\u0007\u200d", "[U+200F]Souza[U+0007][U+200D]"],
  ["Sou\tza\u2028x", "Sou za x"],
])("what can't be seen in the name %j is written out", async (lastName, shown) => {
  const { email } = await sendAndReceive({ lastName, company: lastName });
  expect(email.subject).toBe(`Contact form: Pricing Information, from Ana ${shown}`);
  expect(email.replyTo).toEqual([{ name: `Ana ${shown}`, address: "ana@souza.example" }]);
  expect(email.text).toContain(`Name: Ana ${shown}\n`);
  expect(email.text).toContain(`Company: ${shown}\n`);
  expect(email.html).toContain(`>Ana ${shown}</td>`);
});

test("a message turns no other words around, and keeps what its script needs", async () => {
  const message = "\u202eevil\u2066\nשלום\u200f, 3\u200e vans\tof می‌خواهم";
  const { email } = await sendAndReceive({ message });
  const shown = "[U+202E]evil[U+2066]";
  expect(email.text).toContain(`> ${shown}\n> שלום\u200f, 3\u200e vans\tof می‌خواهم\n`);
  expect(email.html).toContain(`${shown}<br>\nשלום`);
});
