/** Calls one of the site's functions over the wire, as any program may. */
export function callFunction(
  origin: string,
  name: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${origin}/functions/v1/${name}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}
