/** Most fields that a posted form may have; the longest of the site has ten. */
const fieldsMax = 64;

const urlEncoded = "&";
const multipart = "form-data; name=";

/**
 * Whether a posted form has more fields than any of the site's, told by counting what stands between them: reading
 * tens of thousands of empty ones would cost as much as rendering several pages.
 */
export function hasTooManyFields(body: ArrayBuffer, contentType: string | null): boolean {
  const bytes = Buffer.from(body);
  const isMultipart = contentType?.trim().toLowerCase().startsWith("multipart/");
  const separator = isMultipart ? multipart : urlEncoded;
  let place = -1;
  for (let fields = 0; fields <= fieldsMax; fields += 1) {
    place = bytes.indexOf(separator, place + 1);
    if (place < 0) return false;
  }
  return true;
}
