import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { runCommand } from "#tests/site-commands.ts";
import { folderForEachTest } from "#tests/test-folder.ts";

const fixture = (name: string) => path.join(import.meta.dirname, "fixtures", name);

const folder = folderForEachTest();

const site = (...args: string[]) =>
  runCommand(["subscribers", ...args], { env: { DATA_DIR: path.join(folder.path, "data") } });

async function importFile(name: string, content: string | Buffer, ...options: string[]) {
  const file = path.join(folder.path, name);
  await writeFile(file, content);
  const run = await site("import", file, "--consent", "Card", "--json", ...options);
  return { ...run, answer: JSON.parse(run.stdout) };
}

type Stored = { email: string; state: string; confirmed_at: string; unsubscribed_at: string };

async function stored(): Promise<Stored[]> {
  return JSON.parse((await site("export", "--json")).stdout);
}

const states = async () =>
  Object.fromEntries((await stored()).map(({ email, state }) => [email.split("@")[0], state]));

const rows = "ana@example.com,Ana,2024-03-01T09:00:00Z\nbo@example.com,Bo,\n";
const list = `email,name,confirmed_at\n${rows}`;

it.each<[string, string | Buffer]>([
  ["semicolons", list.replaceAll(",", ";")],
  ["tabs", list.replaceAll(",", "\t")],
  ["a line that names the separator", `sep=,\r\n${list}`],
  ["the same for semicolons, after a byte order mark", `\ufeffsep=;\n${list.replaceAll(",", ";")}`],
  ["a comma in a quoted heading", list.replaceAll(",", ";").replace("name", '"name, first, last"')],
  [
    "UTF-16, as Excel's Unicode text",
    Buffer.from(`\ufeff${list.replaceAll(",", "\t")}`, "utf16le"),
  ],
  ["UTF-16 with the bytes turned round", Buffer.from(`\ufeff${list}`, "utf16le").swap16()],
  ["UTF-16 without a mark", Buffer.from(list, "utf16le")],
  ["names beside addresses", list.replace("ana@example.com", '"Reyes, Ana <ana@example.com>"')],
  ["addresses as links", list.replace("ana@", "mailto:ana@")],
])("reads a list with %s", async (_, content) => {
  expect((await importFile("list.csv", content)).exitCode).toBe(0);
  expect(await states()).toEqual({ ana: "confirmed", bo: "subscribed" });
});

it.each([
  ["5/1/2022 10:00", "5/14/2022 9:30 PM", "2022-05-01T10:00:00.000Z", "2022-05-14T21:30:00.000Z"],
  ["1/5/2022 10:00", "14/5/2022 21:30:05", "2022-05-01T10:00:00.000Z", "2022-05-14T21:30:05.000Z"],
  ["01.05.2022 10:00", "14.05.2022", "2022-05-01T10:00:00.000Z", "2022-05-14T00:00:00.000Z"],
  ["2022/5/1 10:00", "May 14, 2022", "2022-05-01T10:00:00.000Z", "2022-05-14T00:00:00.000Z"],
])("reads the times %s and %s of a list that a spreadsheet has saved", async (...times) => {
  const lines = times.slice(0, 2).map((time, at) => `${at}@example.com,2,"${time}","${time}"`);
  const heading = "Email Address,MEMBER_RATING,OPTIN_TIME,CONFIRM_TIME";
  expect((await importFile("a.csv", [heading, ...lines].join("\r\n"))).exitCode).toBe(0);
  expect((await stored()).map(({ confirmed_at }) => confirmed_at)).toEqual(times.slice(2));
});

it("asks what comes first where no date of the list shows it, and takes the answer", async () => {
  const text = "email,unsubscribed_at\na@example.com,5/1/2022\n";
  const refused = await importFile("a.csv", text);
  expect(refused.exitCode).toBe(2);
  expect(refused.answer.error.message).toContain("5/1/2022 can be read in two ways");
  await importFile("a.csv", text, "--dates", "day-first");
  expect((await stored())[0]?.unsubscribed_at).toBe("2022-01-05T00:00:00.000Z");
});

it.each<[string, string, string, Record<string, string>]>([
  [
    "an own list with columns as Kit has them",
    "plain list",
    "first_name,email,created_at,confirmed_at,unsubscribed_at\nA,a@example.com,2024-01-01,2024-01-01,2026-06-01\nB,b@example.com,2024-01-01,2024-01-01,\n",
    { a: "unsubscribed", b: "confirmed" },
  ],
  [
    "an own list with columns as beehiiv has them",
    "plain list",
    "email,status,created_at,unsubscribed_at\na@example.com,subscribed,x,\nb@example.com,Unsubscribed,x,\nc@example.com,active,x,2025-01-01\n",
    { a: "subscribed", b: "unsubscribed", c: "unsubscribed" },
  ],
  [
    "Ghost's export with a column that Substack has",
    "Ghost",
    "email,subscribed_to_emails,created_at,deleted_at,email_disabled\na@example.com,true,2024-01-01,,false\nb@example.com,false,2024-01-01,,false\nc@example.com,true,2024-01-01,,true\n",
    { a: "confirmed", b: "unsubscribed", c: "bounced" },
  ],
  [
    "Kit's export with a time of leaving that it doesn't have by itself",
    "Kit (ConvertKit)",
    "id,first_name,email_address,state,created_at,unsubscribed\n1,A,a@example.com,active,2024-01-01,no\n2,B,b@example.com,active,2024-01-01,yes\n",
    { a: "confirmed", b: "unsubscribed" },
  ],
  [
    "a list of provinces",
    "plain list",
    "email,state,confirmed_at\na@example.com,Ontario,2024-01-01\nb@example.com,,\n",
    { a: "subscribed", b: "subscribed" },
  ],
  [
    "Substack's list of subscribers of 2026",
    "Substack",
    'Name,Email,Type,Start date\nA,a@example.com,Free,2026-07-01\nB,b@example.com,Paid,"Jul 3, 2026"\n',
    { a: "subscribed", b: "subscribed" },
  ],
  [
    "EmailOctopus's, whose columns are Kit's and whose words are its own,",
    "Kit (ConvertKit)",
    "Email address,First name,Status,Created at\na@example.com,A,SUBSCRIBED,2023-01-05\nb@example.com,B,UNSUBSCRIBED,2023-01-05\n",
    { a: "subscribed", b: "unsubscribed" },
  ],
  [
    "phpList's",
    "plain list",
    "email,confirmed,blacklisted\na@example.com,1,0\nb@example.com,1,1\n",
    { a: "subscribed", b: "unsubscribed" },
  ],
  [
    "MailPoet's",
    "plain list",
    "Email,Subscriber status,Global status\na@example.com,subscribed,subscribed\nb@example.com,unsubscribed,unsubscribed\n",
    { a: "subscribed", b: "unsubscribed" },
  ],
  [
    "Shopify's customers",
    "plain list",
    "First Name,Email,Accepts Email Marketing\nA,a@example.com,yes\nB,b@example.com,no\n",
    { a: "subscribed", b: "unsubscribed" },
  ],
])("takes %s for a %s, and nobody who left for a subscriber", async (_, from, text, expected) => {
  const { answer } = await importFile("list.csv", text);
  expect([answer.from, await states()]).toEqual([from, expected]);
});

it("reads a file as the operator's own list where they say so", async () => {
  const text = "email,status,created_at,tier\na@example.com,customer,2024-01-01,gold\n";
  const refused = await importFile("own.csv", text);
  expect(refused.answer).toMatchObject({ from: "beehiiv", invalidCount: 1 });
  expect(refused.answer.invalid[0].message).toContain("--from plain");
  expect((await importFile("own.csv", text, "--from", "plain")).answer.new).toBe(1);
});

it("names a column that it passes over and that may say who has left", async () => {
  const text = "email,confirmed_at,Email opt-out,Désabonné,Notes\na@example.com,2024-01-01,J,,\n";
  const { answer } = await importFile("list.csv", text);
  expect(answer.warnings).toEqual([
    expect.stringContaining("Email opt-out is ignored"),
    expect.stringContaining("Désabonné is ignored"),
  ]);
  const file = path.join(folder.path, "exported.csv");
  await site("export", "--output", file);
  const again = await site("import", file, "--dry-run", "--json");
  expect(JSON.parse(again.stdout)).toMatchObject({ warnings: [], duplicate: 1 });
});

it("names words of a state that it doesn't know, and mails nobody for them, since they may say who has left", async () => {
  const text = "E-Mail;Status;Abmeldedatum\na@example.com;C;\nb@example.com;abgemeldet;1.2.2024\n";
  const { answer } = await importFile("list.csv", text, "--state", "confirmed");
  expect(await states()).toEqual({ a: "subscribed", b: "subscribed" });
  expect(answer.warnings).toEqual([
    expect.stringContaining("Abmeldedatum is ignored"),
    expect.stringContaining('"c", "abgemeldet"'),
  ]);
});

it("imports nobody from Mailchimp's file of people who never subscribed, whatever its columns say", async () => {
  const text =
    "Email Address,MEMBER_RATING,OPTIN_TIME,CONFIRM_TIME\na@example.com,2,2023-05-01 10:00:00,2023-05-01 10:00:00\n";
  for (const name of ["nonsubscribed_members_export_1.csv", "archived_members_export_1.csv"]) {
    const { exitCode, answer } = await importFile(name, text);
    expect([exitCode, answer.error.message]).toEqual([
      2,
      expect.stringContaining("never subscribed"),
    ]);
  }
  await importFile("unsubscribed_by_phone.csv", "email\nb@example.com\n");
  expect(await states()).toEqual({ b: "unsubscribed" });
});

it("reads Mailchimp's zip file as it is downloaded, by the names of its files", async () => {
  const zip = fixture("mailchimp-audience.zip");
  const { stdout, exitCode } = await site("import", zip, "--consent", "Card", "--json");
  const { new: added, warnings } = JSON.parse(stdout);
  expect([exitCode, added, warnings]).toEqual([0, 5, [expect.stringContaining("nonsubscribed_")]]);
  expect(await states()).toEqual({
    reads: "confirmed",
    "bought-once": "subscribed",
    left: "unsubscribed",
    "left-undated": "unsubscribed",
    cleaned: "bounced",
  });
});

it("says how to save a spreadsheet, and to unpack what it can't", async () => {
  const refused = await site("import", fixture("workbook.xlsx"), "--consent", "Card");
  expect(refused.stderr).toContain('save the sheet with the addresses as "CSV UTF-8"');
  const old = Buffer.from("d0cf11e0a1b11ae1", "hex");
  expect((await importFile("list.xls", old)).answer.error.message).toContain("is a spreadsheet");
  const packed = Buffer.from("1f8b0800", "hex");
  expect((await importFile("list.csv.gz", packed)).answer.error.message).toContain("Unpack it");
});
