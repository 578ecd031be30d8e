import { type Token, Tokenizer, TokenizerMode } from "parse5";

/** Elements whose content is text, however it is written. A parser knows them; the tokeniser alone has to be told. */
const textModes = new Map<string, Tokenizer["state"]>([
  ["title", TokenizerMode.RCDATA],
  ["textarea", TokenizerMode.RCDATA],
  ["script", TokenizerMode.SCRIPT_DATA],
  ["plaintext", TokenizerMode.PLAINTEXT],
  ...["style", "xmp", "iframe", "noembed", "noframes", "noscript"].map(
    (name): [string, Tokenizer["state"]] => [name, TokenizerMode.RAWTEXT],
  ),
]);

type TokenHandlers = {
  onStartTag: (token: Token.TagToken) => void;
  onEndTag: (token: Token.TagToken) => void;
  onText?: (token: Token.CharacterToken) => void;
};

/** Whether an element holds text alone, and no other elements. */
export function holdsTextAlone(tagName: string): boolean {
  return textModes.has(tagName);
}

/**
 * Tells of the tags of an HTML text, each with its location, and of the text between them. By the HTML standard's own
 * tokeniser and without building a tree, so that the time grows with the length and not with the nesting.
 */
export function tokenizeHtml(html: string, handlers: TokenHandlers): void {
  const { onStartTag, onEndTag, onText = ignore } = handlers;
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(token) {
        onStartTag(token);
        tokenizer.state = textModes.get(token.tagName) ?? tokenizer.state;
      },
      onEndTag,
      onCharacter: onText,
      onWhitespaceCharacter: onText,
      onNullCharacter: ignore,
      onComment: ignore,
      onDoctype: ignore,
      onEof: ignore,
    },
  );
  tokenizer.write(html, true);
}

function ignore(): void {}
