const stylesheetLink =
  /<link (?:nonce="\w+" )?rel="stylesheet" href="(\/assets\/[\w.-]+\.css)"( data-precedence="\w+")?(?: nonce="\w+")?\/>/g;

type InlineStylesOptions = {
  /** Gives the styles of an address. */
  read: (href: string) => string;
  /** The nonce of the element, so that the page's policy lists it. */
  nonce: string;
};

/**
 * Puts a page's styles into its HTML, so that the first flight of bytes paints it. The links stay where the router
 * expects them when it takes over the page, but disabled, so that they are neither fetched nor waited for; pages opened
 * later by script bring their own.
 *
 * All the styles become one element, where the first link stood. What the page's parts brought themselves, with a
 * precedence, comes last, as it does where a browser fetches it: the order of layers is the page's.
 */
export function withInlineStyles(html: string, { read, nonce }: InlineStylesOptions): string {
  const links = [...html.matchAll(stylesheetLink)];
  if (links.length === 0) return html;
  const ofPage = links.filter(([, , precedence]) => !precedence);
  const ofParts = links.filter(([, , precedence]) => precedence);
  const css = [...ofPage, ...ofParts].map(([, href = ""]) => read(href)).join("");
  let isFirst = true;
  return html.replace(stylesheetLink, (_link, href: string, precedence = "") => {
    const style = isFirst ? `<style nonce="${nonce}">${css.replaceAll("</", "<\\/")}</style>` : "";
    isFirst = false;
    return `${style}<link rel="stylesheet" href="${href}"${precedence} disabled=""/>`;
  });
}
