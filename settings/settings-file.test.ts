import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "#tests/test-folder.ts";
import { loadEnvironment, readConfig } from "./settings.ts";

const text = "SITE_URL=https://www.example.com\nSITE_NAME=Planks\n";
const asUtf16 = Buffer.from(`\ufeff${text}`, "utf16le");
const isRead = "is read right";

/** Every spelling of the file that was met, and what is said of it: --reporter=verbose prints the table. */
test.each<[spelling: string, said: string, content: string | Buffer | ((file: string) => void)]>([
  ["as an editor on Linux writes it", isRead, text],
  ["with CRLF", isRead, text.replaceAll("\n", "\r\n")],
  ["with a byte order mark", isRead, `\ufeff${text}`],
  ["as UTF-16, Notepad's Unicode", isRead, asUtf16],
  ["as UTF-16 of the other order", isRead, Buffer.from(asUtf16).swap16()],
  ["as UTF-16 without a mark", isRead, asUtf16.subarray(2)],
  ["with the line ends of old Macs", isRead, text.replaceAll("\n", "\r")],
  [
    "in Windows' own letters",
    "line 3 has a letter that isn't UTF-8. Save the file as UTF-8.",
    Buffer.from(`${text}SITE_STREET=5 Rue Cléry\n`, "latin1"),
  ],
  ["with export", isRead, text.replace(/^/gm, "export ").replace(/export $/, "")],
  ["with blanks", isRead, text.replaceAll("=", " = ")],
  ["with quotes", isRead, text.replace(/=(.*)/g, '="$1"')],
  ["with remarks", isRead, `# us\n\n${text.replace("Planks", "Planks # see task#12")}`],
  ["with a remark in a value's place", isRead, `${text}SITE_LOGO= # none yet\n`],
  ["with a # in quotes", isRead, `${text}SITE_COLOUR="#7a1f5c"\n`],
  ["with a value of several lines", isRead, `${text}DATA_DIR="a\nand more: #1" # 'tis one\n`],
  [
    "with a colour as HTML has it",
    'line 3: SITE_COLOUR is cut off at the #. Write it in quotes: SITE_COLOUR="…".',
    `${text}SITE_COLOUR=#7a1f5c\n`,
  ],
  [
    "with a # in a password",
    'line 1: SMTP_URL is cut off at the #. Write it in quotes: SMTP_URL="…".',
    "SMTP_URL=smtp://me:pa#ss@mail.example.com\n",
  ],
  [
    "with quotes inside quotes",
    'line 3: MAIL_FROM is cut off after the second ". Write quotes of another kind around it.',
    `${text}MAIL_FROM="Planks" <news@example.com>\n`,
  ],
  [
    "with a quote that isn't closed",
    "line 1: the ' before the value of SITE_NAME has no second one.",
    `SITE_NAME='Tis Planks\n${text}`,
  ],
  [
    "with a colon in place of =",
    "line 1 has no setting, so it does nothing: it must read NAME=value",
    "SITE_NAME: Planks\n",
  ],
  [
    "with a misspelled name",
    "SITE_EMIAL is not a setting, so it does nothing. Did you mean SITE_EMAIL?",
    `${text}SITE_EMIAL=a@b.ca\n`,
  ],
  ["that is a folder", "can't be read: it is a folder.", (file) => mkdirSync(file)],
  ["that can't be opened", "can't be read: ELOOP", (file) => symlinkSync(file, file)],
])("a .env file %s: %s", (_spelling, said, content) => {
  const folder = newFolder();
  const file = path.join(folder, ".env");
  if (typeof content === "function") content(file);
  else writeFileSync(file, content);
  const read = readConfig(loadEnvironment(folder));
  if (said !== isRead) {
    expect((read.ok ? read.warnings : read.mistakes).join("\n")).toContain(said);
    return;
  }
  expect(read).toMatchObject({
    config: { siteUrl: "https://www.example.com", siteName: "Planks" },
  });
});

test("the quotes that a container's list of settings keeps are no part of a value", () => {
  const read = readConfig({ SITE_NAME: '"Planks"', SITE_URL: "'https://www.example.com'" });
  expect(read).toMatchObject({
    config: { siteName: "Planks", siteUrl: "https://www.example.com" },
  });
});
