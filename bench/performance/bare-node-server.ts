// Node's own http server handing out one buffer: what a Node process can reach at most. Takes the file of the bytes and
// the headers as JSON; prints its port.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const [file = "", headersJson = "{}"] = process.argv.slice(2);
const body = readFileSync(file);
const headers = [
  ...Object.entries(JSON.parse(headersJson) as Record<string, string>).flat(),
  ...["content-length", String(body.length)],
];

const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
