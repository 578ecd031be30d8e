import { once } from "node:events";
import { connect } from "node:net";
import { createClient } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { createHttpServer, listen, oneAtATime } from "./listen.ts";

test("an address that is too long to be read is refused in words that Supabase's client reads", async () => {
  const server = createHttpServer();
  const port = await listen(server, { port: 0, host: "127.0.0.1" });
  const issues = createClient(`http://127.0.0.1:${port}`, "any-key").from("final_newsletters");
  const refused = await issues.select("*").eq("id", "1".repeat(20_000));
  expect(refused.status).toBe(431);
  expect(refused.error?.message).toContain("longer than 16 KB");
  const answer = await fetch(`http://127.0.0.1:${port}/?${"a".repeat(20_000)}`);
  expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
  server.close();
});

test("a visitor is answered between the requests that a client has pipelined, and none after it has left", async () => {
  const begun: string[] = [];
  const server = createHttpServer().on(
    "request",
    oneAtATime((request, response) => {
      begun.push(request.url ?? "");
      response.end(request.url);
    }),
  );
  const port = await listen(server, { port: 0, host: "127.0.0.1" });
  const client = connect(port, "127.0.0.1");
  const left = once(server, "connection").then(([socket]) => once(socket, "close"));
  client.write(
    Array.from({ length: 500 }, (_, n) => `GET /${n} HTTP/1.1\r\nHost: a\r\n\r\n`).join(""),
  );
  let answers = "";
  client.setEncoding("utf8").on("data", (text) => {
    answers += text;
  });
  await once(client, "data");
  await (await fetch(`http://127.0.0.1:${port}/visitor`)).text();
  expect(begun.indexOf("/visitor")).toBeGreaterThan(0);
  expect(begun.indexOf("/visitor")).toBeLessThan(400);
  client.destroy();
  await left;
  const answered = begun.length;
  await (await fetch(`http://127.0.0.1:${port}/visitor`)).text();
  expect(begun.length).toBe(answered + 1);
  const order = [...answers.matchAll(/^\/(\d+)/gm)].map(([, n]) => Number(n));
  expect(order).toEqual(order.map((_, n) => n));
  server.close();
});
