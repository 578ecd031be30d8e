import { type Element, isElement, isText, type Node } from "#issue-body/body-tree.ts";
import { fallbackOf, hasMergeTag, replaceMergeTags } from "#issue-body/merge-tags.ts";

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
  /** White text is readable on it. */
  accent: string;
};

const leavesList = /unsub|opt_?-?out|preferences|update_?(?:profile|link)/i;

/** An address that only another program could fill in, whichever it is: `##unsubscribe##`, `$[leave]`, `%7Boptout%7D`. */
const isPlaceholder = /^\s*(?:[[{$%*<@~|!]|##|%[57]B)/i;

/**
 * Fills known tags and removes the others, outside code examples; an address to leave is replaced as a whole. Returns how
 * many were filled, and the removed ones.
 */
export function fillMergeTags(parent: { childNodes: Node[] }, values: MergeValues) {
  const result = { filled: 0, removed: [] as string[] };
  function fill(text: string): string {
    return replaceMergeTags(text, (name, tag) => {
      const value = meaningOf(name, values);
      if (value === "") result.removed.push(tag);
      else result.filled += 1;
      return value;
    });
  }
  function fillAttributes({ attrs }: Element): void {
    for (const attribute of attrs) {
      const { name, value } = attribute;
      const hasTag = hasMergeTag(value);
      if (name === "href" && leavesList.test(value) && (hasTag || isPlaceholder.test(value))) {
        attribute.value = values.unsubscribe;
        result.filled += 1;
      } else if (hasTag) attribute.value = fill(value);
    }
  }
  function visit(node: Node): void {
    if (isText(node)) node.value = fill(node.value);
    if (!isElement(node)) return;
    fillAttributes(node);
    if (!/^(?:pre|code)$/.test(node.tagName)) node.childNodes.forEach(visit);
  }
  parent.childNodes.forEach(visit);
  return result;
}

function meaningOf(tag: string, values: MergeValues): string {
  const name = tag.toLowerCase();
  // Blocks and conditions show their content as it is.
  if (/^(?:if|else|end|for|unless|case|when|assign|interest|#|\/)/.test(name)) return "";
  const meanings: [RegExp, string][] = [
    [
      /unsub|opt_?out|manage|preferences|update_?(?:profile|link)|subscription_?url/,
      values.unsubscribe,
    ],
    // A button without a colour would hide its white text.
    [/(?:accent|brand|button|primary).*colou?r/, values.accent],
    [
      /archive|browser|web_?(?:version|copy)|online|post_?url|permalink|forward|message_?url|^url$/,
      values.page,
    ],
    [/(?:list|company|sender|mailing|physical|contact).*address/, values.senderAddress],
    [/year/, values.year],
    [/date/, values.date],
    [/subject|title/, values.title],
    [/(?:list|from|reply|sender).*e?mail/, values.senderEmail],
    [/company|sender|publication|list.*name|site.*(?:name|title)/, values.sender],
  ];
  const known = meanings.find(([pattern]) => pattern.test(name))?.[1];
  return known ?? fallbackOf(tag);
}
