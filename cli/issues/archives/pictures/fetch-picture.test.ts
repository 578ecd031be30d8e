import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pictureMaxBytes } from "#newsletter/pictures.ts";
import { fetchPicture, type Network } from "./fetch-picture.ts";
import { isPublicAddress } from "./public-address.ts";

const tls = path.join(import.meta.dirname, "../../../../tests/fixtures/tls");
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

/** Two names lead to the server, as if it stood in the open network; two lead inside, one of them beside another. */
const network: Network = {
  ca: certificate,
  isAllowed: (address) => address === "127.0.0.1" || isPublicAddress(address),
  resolve: async (host) =>
    ({
      "inside.example": [{ address: "10.0.0.7", family: 4 }],
      "mixed.example": [
        { address: "127.0.0.1", family: 4 },
        { address: "::ffff:10.0.0.7", family: 6 },
      ],
    })[host] ?? [{ address: "127.0.0.1", family: 4 }],
};

const fetched = (name: string, host = "pictures.example") =>
  fetchPicture(`https://${host}:${port()}${name}`, network);

describe("a picture of an archive", () => {
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

  test.each(["inside.example", "mixed.example", "10.0.0.7", "[::1]", "0x7f.1"])(
    "at %s is not asked for",
    async (host) => {
      const inside = { ...network, isAllowed: isPublicAddress };
      asked.length = 0;
      expect(await fetchPicture(`https://${host}:${port()}/deck.png`, inside)).toMatchObject({
        reason: "is at an address that is not of the open network",
      });
      expect(asked).toEqual([]);
    },
  );
});

test("only addresses of the open network are public", () => {
  for (const address of ["142.250.1.1", "2606:4700::6810:84e5", "192.0.1.1", "172.32.0.1"]) {
    expect(isPublicAddress(address), address).toBe(true);
  }
  for (const address of [
    ...["127.0.0.1", "10.1.2.3", "172.31.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1"],
    ...["0.0.0.0", "224.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "::", "::1"],
    ...["fe80::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1"],
    ...["2002:7f00:1::", "2001::1", "2001:db8::1", "localhost", ""],
  ]) {
    expect(isPublicAddress(address), address).toBe(false);
  }
});
