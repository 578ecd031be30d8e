import PostalMime from "postal-mime";

/** A composed mail as a mail program reads it, but for the boundary between the parts, which is of chance. */
export async function readComposed(bytes: Buffer | undefined) {
  const { headers, html, text } = await PostalMime.parse(bytes ?? "");
  return { headers: headers.filter(({ key }) => key !== "content-type"), html, text };
}
