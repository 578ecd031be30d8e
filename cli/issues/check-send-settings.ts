import type { SettingName } from "#server/settings.ts";
import type { CommandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";

const needed: [SettingName, string][] = [
  ["SMTP_URL", "no mail server is configured, so nobody would be reached"],
  ["SITE_URL", "the links to leave would lead to this machine"],
  [
    "SITE_STREET",
    "every issue has to name the sender's mailing address (Canada's anti-spam law, s. 6(2))",
  ],
  ["SITE_POSTAL_CODE", "the mailing address is not whole without it"],
];

/** Ends the command where an issue can't lawfully or usefully go out with these settings. */
export function checkSendSettings(context: CommandContext): void {
  const { unset } = context.readSettings();
  const missing = needed.filter(([name]) => unset.some(({ setting }) => setting === name));
  if (missing.length === 0) return;
  throw new CommandError(
    [
      "The issue was not sent. Settings are missing:",
      ...missing.map(([name, why]) => `  ${name}: ${why}.`),
      'Settings go into .env; docs/newsletter.md tells the whole road. "issues send ID --test ADDRESS" works without them.',
    ].join("\n"),
    {
      problems: missing.map(([name, why]) => ({
        file: null,
        line: null,
        message: `${name}: ${why}`,
      })),
    },
  );
}
