import { expect, test } from "vitest";
import { withInlineStyles } from "./inline-styles.ts";

const sheets: Record<string, string> = {
  "/assets/root-a1.css": "body{color:red}",
  "/assets/home-b2.css": 'p::after{content:"</style><script>"}',
};

const options = { read: (href: string) => sheets[href] ?? "", nonce: "a1b2" };

test("puts all styles where the first link stood, in their order, and disables the links", () => {
  const html = withInlineStyles(
    '<head><link nonce="a1b2" rel="stylesheet" href="/assets/root-a1.css"/><meta name="x"/><link rel="stylesheet" href="/assets/home-b2.css"/></head>',
    options,
  );
  expect(html).toMatch(/^<head><style nonce="a1b2">body\{color:red\}p::after/);
  expect(html.match(/<style /g)).toHaveLength(1);
  expect(html.match(/<link rel="stylesheet" href="[^"]+" disabled=""\/>/g)).toHaveLength(2);
});

test("lets no sheet end the style element", () => {
  const html = withInlineStyles('<link rel="stylesheet" href="/assets/home-b2.css"/>', options);
  expect(html.match(/<\/style>/g)).toHaveLength(1);
});

test("leaves a page without sheets, and sheets from elsewhere, as they are", () => {
  const html = '<link rel="stylesheet" href="https://host.example/widget.css"/>';
  expect(withInlineStyles(html, options)).toBe(html);
});

test("puts what a part of the page brought after the page's own, so that its layers come first", () => {
  const html = withInlineStyles(
    '<link rel="stylesheet" href="/assets/home-b2.css" data-precedence="own"/><link rel="stylesheet" href="/assets/root-a1.css"/>',
    options,
  );
  expect(html).toMatch(/^<style nonce="a1b2">body\{color:red\}p::after/);
  expect(html).toContain('href="/assets/home-b2.css" data-precedence="own" disabled=""/>');
});
