import { expect, test } from "vitest";
import { withLateScripts } from "./late-scripts.ts";

const nonce = "a1b2";

const start = `import "/assets/manifest-1.js";
import * as route0 from "/assets/root-2.js";
import * as route1_clientLoader from "/assets/loader-3.js";
import * as route1_main from "/assets/main-4.js";
const route1 = {...route1_clientLoader,...route1_main};
  window.__reactRouterRouteModules = {"root":route0,"pages/x":route1};

import("/assets/entry-5.js");`;

function pageOf(code: string, ofScript = nonce) {
  return [
    '<head><link rel="modulepreload" href="/assets/root-2.js" nonce="a1b2"/>',
    '<link nonce="a1b2" rel="modulepreload" href="/assets/entry-5.js"/></head>',
    `<body><p>Words</p><script nonce="${ofScript}" type="module" async="">${code}</script></body>`,
  ].join("");
}

test("asks for no script before the page is painted", () => {
  const html = withLateScripts(pageOf(start), nonce);
  expect(html).not.toMatch(/<link|type="module"|\bimport\s+["*]/);
  expect(html).toContain('observe({type:"paint",buffered:true})');
});

test("imports the same modules, under the same names, and runs the rest of the start after them", () => {
  const html = withLateScripts(pageOf(start), nonce);
  expect(html).toContain(
    'let[,route0,route1_clientLoader,route1_main]=await Promise.all([import("/assets/manifest-1.js"),import("/assets/root-2.js"),import("/assets/loader-3.js"),import("/assets/main-4.js")]);const route1 = {',
  );
  expect(html).toMatch(/import\("\/assets\/entry-5\.js"\);\}\)<\/script>/);
});

test("asks for all files at once when it begins", () => {
  expect(withLateScripts(pageOf(start), nonce)).toContain(
    'for(let href of ["/assets/root-2.js","/assets/entry-5.js"])',
  );
});

test("keeps the nonce on what it writes, and touches no script without it", () => {
  expect(withLateScripts(pageOf(start), nonce)).toContain('<script nonce="a1b2">new Promise(');
  const foreign = pageOf(start, "other");
  expect(withLateScripts(foreign, nonce)).toBe(foreign);
});

test("is a script that a browser can read", () => {
  const [, code = ""] =
    /<script[^>]*>(.*?)<\/script>/s.exec(withLateScripts(pageOf(start), nonce)) ?? [];
  expect(() => new Function(code)).not.toThrow();
});

test("moves all inline code into the last script, in its order, and leaves the others empty", () => {
  const before = `<script nonce="${nonce}">\n\t\tfirst()</script>`;
  const after = `<script nonce="${nonce}">last()</script><script type="application/ld+json">{}</script>`;
  const html = withLateScripts(before + pageOf(start) + after, nonce);
  const [one, two, three] = [...html.matchAll(/<script nonce="a1b2">(.*?)<\/script>/gs)].map(
    ([, code]) => code,
  );
  expect([one, two]).toEqual(["", ""]);
  expect(three).toMatch(/^first\(\)\n;new Promise\(.*\n;last\(\)$/s);
  expect(html).toContain('<script type="application/ld+json">{}</script>');
});
