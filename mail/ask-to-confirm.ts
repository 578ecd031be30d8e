import { type Html, html } from "./html.ts";
import { mailButton } from "./mail-document.ts";

/** What a mail says that asks to open a page and press its button, and what happens to those who don't. */
export function askToConfirm({
  link,
  label,
  ignore,
}: {
  link: string;
  label: string;
  ignore: string;
}): { text: string; markup: Html } {
  return {
    text: `To confirm, open this page and press the button on it:
${link}

${ignore}`,
    markup: html`${mailButton({ address: link, words: label })}
<p>${ignore}</p>`,
  };
}
