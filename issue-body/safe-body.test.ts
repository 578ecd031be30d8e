import { parse } from "parse5";
import { expect, test } from "vitest";
import { childElements, isElement, type Node } from "./body-tree.ts";
import { prepareIssueBody } from "./prepare-issue-body.ts";
import { maxBodyLength } from "./sanitise-body.ts";

// Each of these closes, in a browser, an element that was open before the body began, when only its tags are balanced.
const escapes = [
  "</div></main></body></html><h1>mine</h1>",
  "<div><table><div><table></table></div></table></div></div>",
  "<ul><li><div><li></li></div></li></ul>",
  "<dl><dd><div><dt></dt></div></dd></dl>",
  "<p><div></p></div></div>",
  "<h2><h3></h2></h3></div>",
  "<a href='https://e.com'><div><a href='https://e.com'></div></a></div>",
  "<b><div><table><b><tr><td></div></b></table>",
  "<table><tr><td><div><td></div></div></table>",
  "<table><caption><div><tr><td></div></caption></table></div>",
  "<b><p></b></p></div><b>",
  "<!-- unclosed",
  "<p title='unclosed",
  "<table><tr><td>unclosed <b>",
];

test.each(escapes)("keeps inside its box: %s", (attempt) => {
  const { html } = prepareIssueBody(attempt);
  expect(around(html)).toBe("<main><div></div><p></p></main><footer></footer>");
});

test("keeps inside its box whatever tags are thrown together", () => {
  const tags =
    "div p table tr td th tbody caption ul li dl dd dt a b font h1 h3 span form center pre".split(
      " ",
    );
  let seed = 20261102;
  const next = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * below);
  };
  for (let round = 0; round < 150; round += 1) {
    const soup = Array.from({ length: 30 }, () => {
      const tag = tags[next(tags.length)];
      return next(5) < 3 ? `<${tag}>` : next(2) === 0 ? `</${tag}>` : "x";
    }).join("");
    const { html } = prepareIssueBody(soup);
    expect(around(html), soup).toBe("<main><div></div><p></p></main><footer></footer>");
    expect(prepareIssueBody(html).html, soup).toBe(html);
  }
});

// In quadratic time, any of these would take longer than a test may.
test.each([
  ["ten thousand levels", `${"<div>".repeat(10_000)}deep${"</div>".repeat(10_000)}`],
  ["levels without end", `${"<div>".repeat(60_000)}deep`],
  ["nested tables without end", `${"<table><tr><td>".repeat(30_000)}deep`],
  ["cells and items without end", `${"<tr><li>".repeat(40_000)}deep`],
  ["formatting tags without end", `${"<b>".repeat(60_000)}deep`],
  ["brackets without end", `${"<".repeat(250_000)} deep`],
  ["comments without end", `deep${"<!--".repeat(100_000)}`],
  [
    "attributes without end",
    `<p ${Array.from({ length: 40_000 }, (_, n) => `a${n}=1`).join(" ")}>`,
  ],
  ["a style of a megabyte", `<p style="${"color:red;".repeat(100_000)}">deep`],
])("takes %s", (_name, body) => {
  expect(() => prepareIssueBody(body)).not.toThrow();
});

test("flattens what is nested too deep, and keeps its words", () => {
  const body = prepareIssueBody(`${"<div>".repeat(500)}deep${"</div>".repeat(500)}`);
  expect(body.html.match(/<div>/g)?.length).toBeLessThan(200);
  expect(body.plainText).toBe("deep");
});

test("cuts a body that is too long and says so", () => {
  const body = prepareIssueBody(`<p>start</p>${" ".repeat(maxBodyLength)}<p>end</p>`);
  expect(body.plainText).toBe("start");
  expect(body.removed).toEqual([
    { what: `text after the first ${maxBodyLength} characters`, count: 1 },
  ]);
});

function page(html: string): Node[] {
  const document = parse(
    `<!doctype html><body><main><div>${html}</div><p></p></main><footer></footer>`,
  );
  const root = document.childNodes.find(isElement);
  return root === undefined ? [] : (childElements(root)[1]?.childNodes ?? []);
}

/** The page's own elements around a body, with the body left out. */
function around(html: string): string {
  const write = (node: Node): string => {
    if (!("childNodes" in node)) return "";
    const inside = node.nodeName === "div" ? "" : node.childNodes.map(write).join("");
    return `<${node.nodeName}>${inside}</${node.nodeName}>`;
  };
  return page(html).map(write).join("");
}
