import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { until } from "#tests/until.ts";
import { watchForms } from "./forms-first.ts";

test("a form is under way until it's answered, or for a moment where it doesn't come", async () => {
  let time = 0;
  const forms = watchForms(() => time);
  const open: ServerResponse[] = [];
  const server = createServer(forms.watch((_, response) => void open.push(response)));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const page = fetch(url);
  await until(() => open.length === 1);
  expect(forms.isFormUnderWay()).toBe(false);
  const form = fetch(url, { method: "POST" });
  await until(() => open.length === 2);
  expect(forms.isFormUnderWay()).toBe(true);
  time = 10_000;
  expect(forms.isFormUnderWay()).toBe(false);
  time = 0;
  for (const response of open) response.end();
  await Promise.all([page, form]);
  await until(() => !forms.isFormUnderWay());
});
