import { expect, test } from "vitest";
import { plainFallback } from "./plain-fallback.ts";

test("keeps the words and no markup at all", () => {
  const { html, plainText } = plainFallback(
    '<title>No</title><p style="x">A &lt;b&gt; <b>bold</b></p><script>alert("<p>1")</script><p>2 < 3</p><!-- no -->',
  );
  expect(plainText).toBe("A <b>\nbold\n2\n3");
  expect(html).toBe("<p>A &lt;b&gt;</p><p>bold</p><p>2</p><p>3</p>");
});

test("ends after so many words", () => {
  expect(plainFallback("<p>word word word ".repeat(50_000)).plainText.length).toBeLessThan(110_000);
});
