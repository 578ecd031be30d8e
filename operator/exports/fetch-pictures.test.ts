import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { createServer, type Server } from "node:https";
import { type AddressInfo, isIP } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pictureMaxBytes } from "#newsletter/pictures.ts";
import { fetchPicture, type Network } from "./fetch-pictures.ts";

const tls = path.join(import.meta.dirname, "../../tests/fixtures/tls");
const certificate = readFileSync(path.join(tls, "certificate.pem"), "utf8");
const png = Buffer.from("\u0089PNG\r\n\u001a\nand more", "latin1");

const asked: string[] = [];
const answers: Record<string, RequestListener> = {
  "/deck.png": (_, response) => response.end(png),
  "/page.png": (_, response) => response.setHeader("content-type", "image/png").end("<script>"),
  "/drawing.svg": (_, response) =>
    response.setHeader("content-type", "image/svg+xml").end("<svg/>"),
  "/gone.png": (_, response) => response.writeHead(404).end(),
  "/moved.png": (_, response) =>
    response.writeHead(302, { location: `https://moved.example:${port()}/deck.png` }).end(),
  "/inside.png": (_, response) =>
    response.writeHead(302, { location: `https://inside.example:${port()}/deck.png` }).end(),
  "/literal.png": (_, response) =>
    response.writeHead(302, { location: `https://169.254.169.254:${port()}/deck.png` }).end(),
  "/plain.png": (_, response) => response.writeHead(302, { location: "file:///etc/passwd" }).end(),
  "/round.png": (_, response) => response.writeHead(302, { location: "/round.png" }).end(),
  "/said-large.png": (_, response) =>
    response.writeHead(200, { "content-length": String(pictureMaxBytes + 1) }).end(png),
  "/large.png": (_, response) => {
    response.write(png);
    response.end(Buffer.alloc(pictureMaxBytes));
  },
};

let server: Server;
const port = () => (server.address() as AddressInfo).port;

beforeAll(async () => {
  server = createServer({ cert: certificate, key: readFileSync(path.join(tls, "key.pem")) });
  server.on("request", (request, response) => {
    asked.push(`${request.headers.host?.split(":")[0]}${request.url}`);
    answers[request.url ?? ""]?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const addresses: Record<string, string[]> = {
  "inside.example": ["10.0.0.7"],
  "mixed.example": ["127.0.0.1", "::ffff:10.0.0.7"],
};

/** Every name leads to the server, as if it were public; two lead inside, one of them beside another. */
const network: Network = {
  ca: certificate,
  allowIPAddressList: ["127.0.0.1"],
  lookup(host, _options, callback) {
    const found = addresses[host] ?? ["127.0.0.1"];
    callback(
      null,
      found.map((address) => ({ address, family: isIP(address) })),
    );
  },
};

const fetched = (name: string, host = "pictures.example") =>
  fetchPicture(`https://${host}:${port()}${name}`, network);

describe("a picture of an export", () => {
  test("is fetched by https, from where it has moved to", async () => {
    const picture = { bytes: png, type: "image/png" };
    expect(await fetched("/deck.png")).toEqual({ ok: true, picture });
    expect(await fetched("/moved.png")).toEqual({ ok: true, picture });
    const byHttp = await fetchPicture(`http://pictures.example:${port()}/deck.png`, network);
    expect(byHttp).toEqual({ ok: true, picture });
  });

  test.each([
    ["/page.png", "is no PNG, JPEG, GIF or WebP"],
    ["/drawing.svg", "is no PNG, JPEG, GIF or WebP"],
    ["/gone.png", "is answered with 404"],
    ["/plain.png", "is no https address"],
    ["/round.png", "leads from one address to the next without end"],
    ["/said-large.png", "is larger than 5 MB"],
    ["/large.png", "is larger than 5 MB"],
    ["/inside.png", "is at an address that is not of the open network"],
    ["/literal.png", "is at an address that is not of the open network"],
  ])("is left where it is: %s %s", async (name, reason) => {
    expect(await fetched(name)).toEqual({ ok: false, reason });
  });

  test.each([
    ...["inside.example", "mixed.example", "127.0.0.1", "0x7f.1", "172.31.0.1"],
    ...["169.254.169.254", "100.64.0.1", "0.0.0.0", "[::]", "[::1]", "[fe80::1]", "[fc00::1]"],
    ...["[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]"],
  ])("at %s is not asked for", async (host) => {
    asked.length = 0;
    const inside = { ...network, allowIPAddressList: [] };
    const reason = "is at an address that is not of the open network";
    expect(await fetchPicture(`https://${host}:${port()}/deck.png`, inside)).toEqual({
      ok: false,
      reason,
    });
    expect(asked).toEqual([]);
  });
});
