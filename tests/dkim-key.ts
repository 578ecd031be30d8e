import { generateKeyPairSync } from "node:crypto";

/** A new key to sign mails with, as PEM, and the record with its other half that the sender's DNS would have. */
export function newDkimKey(): { privateKey: string; record: string } {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "der" },
  });
  return { privateKey, record: `v=DKIM1; k=rsa; p=${publicKey.toString("base64")}` };
}
