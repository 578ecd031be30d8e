import { amount } from "#content/amounts.ts";
import { printableLine } from "#contracts/text.ts";
import { examine } from "#operator/examine/examine.ts";
import { type CommandContext, type Run, siteCommand } from "./command.ts";

export function doctorCommand(run: Run) {
  return siteCommand(
    "doctor",
    "Say what is configured, what can be reached and what waits",
    "It changes nothing and sends nothing. ! needs attention, and then the exit code is 1; - is worth knowing.",
  ).action(run(doctor));
}

const signs = { ok: "+", note: "-", attention: "!" };

async function doctor(context: CommandContext) {
  const findings = await examine(await context.lookUpSettings(), context.now());
  const attentions = findings.filter(({ state }) => state === "attention").length;
  const lines = findings.map(({ about, state, message, advice }) => {
    const line = printableLine(`${signs[state]} ${about}: ${message}`);
    return advice === undefined ? line : `${line}\n    ${advice}`;
  });
  const verdict =
    attentions === 0
      ? "Nothing needs attention."
      : `${amount(attentions, "thing needs", "things need")} attention.`;
  return {
    json: { ok: attentions === 0, findings },
    text: [...lines, "", verdict].join("\n"),
    failed: attentions > 0,
  };
}
