const lineEndsAndTabs = /\r\n|[\t\n\v\f\r\u0085\u2028\u2029]/g;

// Control characters, marks that turn the direction of what stands around them, and letters without a width. The two
// joiners are part of emoji and of scripts, and hide something only beside a letter of ASCII or at an end.
const unseen =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|(?<![^\u0000-\u007f])[\u200c\u200d]|[\u200c\u200d](?![^\u0000-\u007f])/g;

// Of these, what reaches beyond its own place in a text of several lines: people who write from right to left have the
// others on their keyboards.
const unseenInLines =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2028\u2029\u2066-\u206f]/g;

/** A stranger's words on one line, with what a mail program would obey and not show written out: `[U+202E]`. */
export function visibleLine(text: string): string {
  return text.replace(lineEndsAndTabs, " ").replace(unseen, writeOut).trim();
}

/** A stranger's text with its lines and tabs kept, and with what could reorder the text around it written out. */
export function visibleLines(text: string): string {
  return text.replace(/\r\n?|[\v\f\u0085]/g, "\n").replace(unseenInLines, writeOut);
}

function writeOut(character: string): string {
  return `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`;
}
