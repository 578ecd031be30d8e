import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { newFolder } from "#tests/test-folder.ts";
import { loadEnvironment, readConfig } from "./settings.ts";

const text = "SITE_URL=https://www.example.com\nSITE_NAME=Planks\n";

function readOf(content: string | Buffer) {
  const folder = newFolder();
  writeFileSync(path.join(folder, ".env"), content);
  return readConfig(loadEnvironment(folder));
}

function mistakesOf(content: string | Buffer): string {
  const read = readOf(content);
  return read.ok ? "" : read.mistakes.join("\n");
}

describe("a .env file", () => {
  test.each([
    ["as an editor on Linux writes it", text],
    ["with CRLF", text.replaceAll("\n", "\r\n")],
    ["with a byte order mark", `\ufeff${text}`],
    ["as UTF-16, Notepad's Unicode", Buffer.from(`\ufeff${text}`, "utf16le")],
    ["as UTF-16 of the other order", Buffer.from(`\ufeff${text}`, "utf16le").swap16()],
    ["with export", text.replace(/^/gm, "export ").replace(/export $/, "")],
    [
      "with blanks and quotes",
      "SITE_URL = \"https://www.example.com\"\nSITE_NAME = 'Planks' # us\n",
    ],
  ])("is read right %s", (_how, content) => {
    const read = readOf(content);
    expect(read).toMatchObject({
      ok: true,
      config: { siteUrl: "https://www.example.com", siteName: "Planks" },
    });
  });

  test("that cuts a value off at a # is refused with its line", () => {
    expect(mistakesOf(`${text}SITE_COLOUR=#7a1f5c\n`)).toMatch(
      /line 3: SITE_COLOUR is cut off at the #/,
    );
    expect(mistakesOf("SMTP_URL=smtp://me:pa#ss@mail.example.com\n")).toMatch(/line 1: SMTP_URL/);
    expect(mistakesOf('SITE_COLOUR="#7a1f5c"\nSITE_NAME=Planks # us\n')).toBe("");
  });

  test("with a remark after a value, or in its place, is no mistake", () => {
    expect(mistakesOf("SITE_LOGO= # none yet\nSITE_NAME=Planks # see task#12\n")).toBe("");
  });

  test("with a line that is no setting is refused with that line", () => {
    expect(mistakesOf("SITE_NAME: Planks\n")).toMatch(
      /line 1 has no setting: it must read NAME=value/,
    );
  });

  test("with a value of several lines is no mistake", () => {
    expect(mistakesOf('SITE_NAME="Planks\nand more: #1"\nPORT=3000\n')).not.toMatch(
      /has no setting/,
    );
  });

  test("that is a folder is refused in one sentence", () => {
    const folder = newFolder();
    mkdirSync(path.join(folder, ".env"));
    const read = readConfig(loadEnvironment(folder));
    expect(read).toMatchObject({ ok: false });
    expect(read.ok || read.mistakes).toEqual([expect.stringContaining("it is a folder")]);
  });
});

test("the quotes that a container's list of settings keeps are no part of a value", () => {
  const read = readConfig({ SITE_NAME: '"Planks"', SITE_URL: "'https://www.example.com'" });
  expect(read).toMatchObject({
    config: { siteName: "Planks", siteUrl: "https://www.example.com" },
  });
});
