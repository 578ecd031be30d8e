import { proveConsent } from "#newsletter/privacy.ts";
import { writeNewFile } from "../files/write-new-file.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { consentDocument } from "./consent-document.ts";
import { notASubscriber, readAddress } from "./subscriber-address.ts";

export function proveSubscriberCommand(run: Run) {
  return siteCommand("prove", {
    summary: "Write the proof of one person's consent",
    details: `A readable text of everything that happened with the consent of one mailbox: what was signed
up for and in which words, on which page, when, from which network address, and what came
after. Entries are only ever added: the database refuses to change or delete one.`,
    examples: [
      ["subscribers prove pat@example.com", "Show it"],
      ["subscribers prove pat@example.com --output pat.txt", "Write it into a file, to hand on"],
    ],
  })
    .argument("<email>", "the address")
    .option("-o, --output <file>", "write it into this file, which only your user can read")
    .option("--force", "write over the file where there is one")
    .action(
      run((context, address: string, options: { output?: string; force?: boolean }) =>
        context.withStore(async ({ db }) => {
          const email = readAddress(address);
          const proof = await proveConsent(db, email);
          if (!proof) throw notASubscriber(email);
          const { config } = context.readSettings();
          const firm = { name: config.siteName, url: context.siteUrl(), email: config.siteEmail };
          const text = consentDocument(proof, { firm, now: context.now() });
          const { output, force } = options;
          if (output !== undefined) {
            await writeNewFile(context.resolvePath(output), [text], { force });
          }
          return {
            json: { ok: true, ...proof },
            text: output === undefined ? text.trimEnd() : `Wrote ${output}.`,
          };
        }),
      ),
    );
}
