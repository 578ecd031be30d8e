/** Whether the path's percent-encoding is well formed and hides no zero byte. */
export function isReadablePath(pathname: string): boolean {
  try {
    return !decodeURIComponent(pathname).includes("\0");
  } catch {
    return false;
  }
}

const issueAddress = /^\/newsletter\/([^/]+)$/;

/** Whether the path ends in an issue's id, or in what stands in its place. */
export function isIssueAddress(pathname: string): boolean {
  return issueAddress.test(pathname);
}

/**
 * The request, where an id that can't be read is written as the characters that it consists of. No issue has it, so the
 * page says that there is no such issue (specification, section 5), as of any other id that is no number.
 */
export function withReadableId(request: Request): Request {
  const url = new URL(request.url);
  const id = issueAddress.exec(url.pathname)?.[1];
  if (id === undefined || isReadablePath(id)) return request;
  url.pathname = `/newsletter/${encodeURIComponent(id)}`;
  return new Request(url, request);
}
