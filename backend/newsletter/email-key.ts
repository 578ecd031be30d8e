/** The form of an address under which it counts once, however it is capitalised or composed. */
export function emailKey(email: string): string {
  return email.normalize("NFC").toLowerCase();
}
