import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { settingGroups } from "../settings/setting-declarations.ts";
import { projectRoot } from "../settings/settings.ts";

/** The files that list the settings, as they ought to be: `npm run settings` writes them, and a test compares. */
export function settingFiles(): { file: string; text: string }[] {
  const operating = path.join(projectRoot, "docs/operating.md");
  return [
    { file: path.join(projectRoot, ".env.example"), text: envExample() },
    { file: operating, text: withTables(readFileSync(operating, "utf8")) },
  ];
}

const formHead = `# Settings of the running site. Copy this file to .env and fill in what you have; all are optional, and a change takes
# effect with the next start. The environment comes before this file. A public site needs the firm's settings, SMTP_URL
# and, behind a proxy, TRUSTED_PROXIES; the rest can wait. docs/operating.md says more.
# This file is written by "npm run settings" from settings/setting-declarations.ts.
`;

function envExample(): string {
  const groups = rows().map(({ title, rows }) => {
    const settings = rows.map(({ name, what, without }) => {
      const words = `${what.charAt(0).toUpperCase()}${what.slice(1)}.${without ? ` Without it: ${without}.` : ""}`;
      return `${comment(words.replace(/ \(\[.*?\)\)/g, "").replaceAll("`", ""))}\n${name}=\n`;
    });
    return [`\n# ─── ${title} ───\n`, ...settings].join("\n");
  });
  return [formHead, ...groups].join("");
}

/** Puts each group's table in place of the first one under its heading. */
function withTables(document: string): string {
  return rows().reduce((text, { title, rows }) => {
    const table = [
      "| setting | what it is | without it | at the desk |",
      "|---|---|---|---|",
      ...rows.map(
        ({ name, what, without, place }) => `| \`${name}\` | ${what} | ${without} | ${place} |`,
      ),
    ].join("\n");
    const place = new RegExp(`(\n### ${title}\n(?:(?!\n#).)*?\n)\\|.*?\n(?=\n)`, "s");
    if (!place.test(text)) throw new Error(`docs/operating.md has no table under "${title}".`);
    return text.replace(place, (_, before: string) => `${before}${table}\n`);
  }, document);
}

function rows() {
  return settingGroups.map(({ title, settings }) => ({
    title,
    rows: Object.entries(settings).map(([name, setting]) => {
      const { about, example, default: usual, like, unset, desk } = setting;
      const what = example && !usual ? `${about}, for example \`${example}\`` : about;
      const instead = usual ?? like;
      const place = desk ? `${desk.section}, “${desk.label}”` : "";
      const without = setting.without ?? (instead ? `\`${instead}\`` : (unset ?? ""));
      return { name, what, place, without };
    }),
  }));
}

/** The words as comment lines of at most 110 characters. */
function comment(words: string): string {
  return words.replace(/(?=.)(.{1,108})(?: |$)/g, "# $1\n").trimEnd();
}

if (import.meta.main) for (const { file, text } of settingFiles()) writeFileSync(file, text);
