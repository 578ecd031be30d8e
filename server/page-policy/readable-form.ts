/** Most fields that a posted form may have; the longest of the site has ten. */
const fieldsMax = 64;

/** What every body can be read as, so that a visitor's form is read once, by its page. */
const asBrowsersSend = /^application\/x-www-form-urlencoded(?:; ?charset=utf-8)?$/i;

const urlEncoded = "&";
const multipart = "form-data; name=";

/** Whether a body is a form that can be read whole, of no more fields than the site's forms may have. */
export async function isReadableForm(body: ArrayBuffer, contentType: string | null) {
  if (hasTooManyFields(body, contentType)) return false;
  if (asBrowsersSend.test(contentType ?? "")) return true;
  const form = new Response(body, { headers: { "Content-Type": contentType ?? "" } });
  return await form.formData().then(
    () => true,
    () => false,
  );
}

/**
 * Whether a posted form has more fields than any of the site's, told by counting what stands between them: reading
 * tens of thousands of empty ones would cost as much as rendering several pages.
 */
function hasTooManyFields(body: ArrayBuffer, contentType: string | null): boolean {
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
