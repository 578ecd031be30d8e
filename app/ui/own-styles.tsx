/**
 * Loads styles that few pages need, before their content shows: inline in the server's HTML, else as a file. `href` is
 * a `?url` import.
 */
export function OwnStyles({ href }: { href: string }) {
  return <link rel="stylesheet" href={href} precedence="own" />;
}

/** Prefetches such styles unless the page has them. */
export function fetchStyles(href: string): void {
  if (document.querySelector(`link[rel="stylesheet"][href="${href}"]`)) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  document.head.append(link);
}
