import { createClient } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { createHttpServer, listen } from "./listen.ts";

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
