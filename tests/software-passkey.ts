import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

type Asked = { challenge: string; rp?: { id?: string }; rpId?: string };

const sha256 = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest();

/** One value of CBOR (RFC 8949), as far as a passkey needs it. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, count: number) =>
    count < 24 ? Buffer.from([(major << 5) | count]) : Buffer.from([(major << 5) | 24, count]);
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, each]) => [cbor(key), cbor(each as never)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

/** An authenticator in software, by WebAuthn: what it answers can be bent in every way that the desk must refuse. */
export function createPasskey({ origin }: { origin: string }) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(16);
  let counter = 0;

  const clientData = (type: string, challenge: string, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));
  function authData(rpId: string, flags: number, count: number, more = Buffer.alloc(0)) {
    const tail = Buffer.alloc(5);
    tail.writeUInt8(flags);
    tail.writeUInt32BE(count, 1);
    return Buffer.concat([sha256(rpId), tail, more]);
  }
  const credential = (response: object) => ({
    id: id.toString("base64url"),
    rawId: id.toString("base64url"),
    type: "public-key",
    clientExtensionResults: {},
    response,
  });

  return {
    register({ challenge, rp }: Asked, from = origin) {
      const key = new Map<number, number | Buffer>([
        ...([[1, 2] as const, [3, -7] as const, [-1, 1] as const] satisfies [number, number][]),
        [-2, Buffer.from(x, "base64url")],
        [-3, Buffer.from(y, "base64url")],
      ]);
      const attested = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        cbor(key),
      ]);
      const made = new Map<string, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", authData(rp?.id ?? "", 0x45, counter, attested)],
      ]);
      return credential({
        clientDataJSON: clientData("webauthn.create", challenge, from).toString("base64url"),
        attestationObject: cbor(made).toString("base64url"),
        transports: ["internal"],
      });
    },
    /** `flags` 0x05: somebody was there, and was recognised. `count` is what a copied device would say. */
    signIn(
      { challenge, rpId = "" }: Asked,
      {
        from = origin,
        flags = 0x05,
        count = ++counter,
      }: Partial<Record<"from", string>> & Partial<Record<"flags" | "count", number>> = {},
    ) {
      const client = clientData("webauthn.get", challenge, from);
      const data = authData(rpId, flags, count);
      return credential({
        clientDataJSON: client.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: sign("sha256", Buffer.concat([data, sha256(client)]), privateKey).toString(
          "base64url",
        ),
      });
    },
  };
}
