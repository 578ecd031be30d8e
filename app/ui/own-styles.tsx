/**
 * Styles of something that most pages don't have. They come with it: in the page's HTML where the server draws it, and
 * else as a file before it is shown.
 *
 * @param href The styles' address, as `import address from "./x.css?url"` gives it.
 */
export function OwnStyles({ href }: { href: string }) {
  return <link rel="stylesheet" href={href} precedence="own" />;
}

/** Has the browser fetch such styles ahead, unless the page has them. Nothing waits for them. */
export function fetchStyles(href: string): void {
  if (document.querySelector(`link[rel="stylesheet"][href="${href}"]`)) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  document.head.append(link);
}
