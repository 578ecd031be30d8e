/** In the address of a page that an issue's link led to. It is counted for the issue, and names nobody. */
const issueParameter = "from-issue";

/** The address of a link in an issue; one that leads to a page of the site itself names the issue. */
export function linkFromIssue(address: string, { id, siteUrl }: { id: number; siteUrl: string }) {
  const path = address.startsWith(`${siteUrl}/`) ? address.slice(siteUrl.length) : address;
  const isOwnPage = path === siteUrl || /^\/(?!\/|pictures\/)/.test(path);
  if (!isOwnPage || path.includes("token=")) return address;
  const sign = path.includes("?") ? "&" : "?";
  return address.replace(/(?=#|$)/, `${sign}${issueParameter}=${id}`);
}

/** The issue whose link led to an address, by the address's query; null for none. */
export function issueThatLedTo(query: string): number | null {
  const id = new URLSearchParams(query).get(issueParameter) ?? "";
  return /^[1-9]\d{0,8}$/.test(id) ? Number(id) : null;
}
