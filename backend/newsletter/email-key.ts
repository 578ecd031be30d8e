/** The form of an address that is the same however it is capitalised or composed. Whose it is, `findMailbox` says. */
export function emailKey(email: string): string {
  return email.normalize("NFC").toLowerCase();
}
