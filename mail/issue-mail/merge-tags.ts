import { fallbackOf, hasMergeTag, replaceMergeTags } from "#issue-body/merge-tags.ts";
import { html } from "../mail-document.ts";

/** The values of other mail programs' merge tags. */
type MergeValues = {
  unsubscribe: string;
  page: string;
  title: string;
  year: string;
  date: string;
  sender: string;
  senderAddress: string;
  senderEmail: string;
};

/** White text is readable on it. */
const letterheadBlue = "#1f4fd8";

/** A link with a tag in it. An unsubscribe link is replaced as a whole. */
const addresses = /(\bhref\s*=\s*)(["'])([^"'<>]{1,2000})\2/gi;

/** Tags in code examples stay. */
const code = /(<(pre|code)\b[^>]*>[\s\S]*?<\/\2\s*>)/gi;

/** Fills known tags and removes the others, outside code examples. */
export function fillMergeTags(
  markup: string,
  values: MergeValues,
): { markup: string; filled: number; removed: number } {
  let filled = 0;
  let removed = 0;
  function fillAddress(whole: string, start: string, quote: string, address: string): string {
    if (!hasMergeTag(address)) return whole;
    if (!/unsub|opt_?-?out|preferences|update_?profile/i.test(address)) return whole;
    filled += 1;
    return `${start}${quote}${html`${values.unsubscribe}`}${quote}`;
  }

  function fill(text: string): string {
    return replaceMergeTags(text.replace(addresses, fillAddress), (name) => {
      const value = meaningOf(name, values);
      if (value === "") removed += 1;
      else filled += 1;
      return html`${value}`.toString();
    });
  }
  let last = 0;
  let result = "";
  for (const match of markup.matchAll(code)) {
    result += fill(markup.slice(last, match.index)) + match[0];
    last = match.index + match[0].length;
  }
  return { markup: result + fill(markup.slice(last)), filled, removed };
}

function meaningOf(tag: string, values: MergeValues): string {
  const name = tag.toLowerCase();
  // Blocks and conditions show their content as it is.
  if (/^(?:if|else|end|for|unless|case|when|assign|interest|#|\/)/.test(name)) return "";
  const meanings: [RegExp, string][] = [
    [/unsub|opt_?out|manage|preferences|update_?profile|subscription_?url/, values.unsubscribe],
    // A button without a colour would hide its white text.
    [/(?:accent|brand|button|primary).*colou?r/, letterheadBlue],
    [/archive|browser|web_?version|online|post_?url|permalink|forward|message_?url/, values.page],
    [/(?:list|company|sender|mailing|physical).*address/, values.senderAddress],
    [/year/, values.year],
    [/date/, values.date],
    [/subject|title/, values.title],
    [/(?:list|from|reply|sender).*e?mail/, values.senderEmail],
    [/company|sender|publication|list.*name|site.*(?:name|title)/, values.sender],
  ];
  const known = meanings.find(([pattern]) => pattern.test(name))?.[1];
  return known ?? fallbackOf(tag);
}
