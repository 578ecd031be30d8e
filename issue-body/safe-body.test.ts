import { parse } from "parse5";
import { expect, test } from "vitest";
import { childElements, isElement, type Node } from "./body-tree.ts";
import { prepareIssueBody } from "./prepare-issue-body.ts";
import { maxBodyLength } from "./take-body.ts";

const attacks = [
  "<script>alert(1)</script>",
  "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
  "<scr<script>ipt>alert(1)</scr</script>ipt>",
  "<img src=x onerror=alert(1)>",
  '<img src="x" onerror="alert(1)" ',
  "<img/src='https://e.com/a.png'/onload=alert(1)>",
  '<img """><script>alert(1)</script>">',
  "<svg onload=alert(1)>",
  "<svg><script>alert(1)</script></svg>",
  "<svg><style><img src=x onerror=alert(1)></style></svg>",
  "<svg><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>",
  "<svg><animate attributeName=href values=javascript:alert(1) /></svg>",
  "<math><mi//xlink:href='data:x,<script>alert(1)</script>'>",
  "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
  "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
  "<textarea><img title='</textarea><img src=x onerror=alert(1)>'></textarea>",
  "<xmp><img src=x onerror=alert(1)></xmp>",
  "<title><img src=x onerror=alert(1)></title>",
  "<template><img src=x onerror=alert(1)></template>",
  "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
  "<iframe src=javascript:alert(1)></iframe>",
  "<object data=javascript:alert(1)></object><embed src=javascript:alert(1)>",
  "<base href=https://evil.example/><a href=x>a</a>",
  "<link rel=stylesheet href=https://evil.example/x.css>",
  "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
  "<style>@import 'https://evil.example/x.css';</style>",
  "<body onload=alert(1)>x</body>",
  "<a href=javascript:alert(1)>a</a>",
  "<a href=' \t\njava\nscript:alert(1)'>a</a>",
  "<a href='&#106;avascript:alert(1)'>a</a>",
  "<a href='JaVaScRiPt&colon;alert(1)'>a</a>",
  "<a href='data:text/html,<script>alert(1)</script>'>a</a>",
  "<a href='vbscript:msgbox(1)'>a</a>",
  "<a href='//evil.example'>a</a>",
  "<a href='https://user:pass@evil.example'>a</a>",
  "<img src='data:image/svg+xml,<svg onload=alert(1)>'>",
  "<img srcset='javascript:alert(1) 1x'>",
  "<table background='javascript:alert(1)'><tr><td background=https://evil.example/x.png>x",
  "<p style='background:url(javascript:alert(1))'>x</p>",
  "<p style='width:expression(alert(1))'>x</p>",
  "<p style='-moz-binding:url(https://evil.example/x.xml#x)'>x</p>",
  "<p style='position:fixed;inset:0;z-index:99999'>x</p>",
  "<p style='p\\6fsition:fixed'>x</p>",
  "<p style='pos/**/ition:fixed'>x</p>",
  "<p style='color:red;}body{display:none'>x</p>",
  "<p style='transform:scale(9)'>x</p>",
  "<p style='margin-top:-500px;margin:-9px'>x</p>",
  "<p style='--x:red;color:var(--x)'>x</p>",
  "<p style='color:r\\65 d'>x</p>",
  "<p style='width:99999px;height:99999px'>x</p>",
  "<p style='color:red !important;max-width:9999px!important'>x</p>",
  "<p class='fixed inset-0 z-50' style='animation:x 1s'>x</p>",
  "<p id=root><a name=location>x</a><img name=cookie src=https://e.com/a.png></p>",
  "<button formaction=javascript:alert(1)>x</button><input autofocus onfocus=alert(1)>",
  "<details open ontoggle=alert(1)><summary>x</summary></details>",
  "<marquee onstart=alert(1)>x</marquee>",
  "<video><source onerror=alert(1)></video><audio src=x onerror=alert(1)>",
  "<select><option><script>alert(1)</script></option></select>",
  "<plaintext><img src=x onerror=alert(1)>",
  "<div contenteditable tabindex=1 accesskey=x role=alert aria-live=assertive>x</div>",
  "<!--><img src=x onerror=alert(1)>-->",
  "<!-- --!><img src=x onerror=alert(1)>",
  "<![CDATA[<img src=x onerror=alert(1)>]]>",
  "<?xml version='1.0'?><x:script xmlns:x='http://www.w3.org/1999/xhtml'>alert(1)</x:script>",
  "\0<scr\0ipt>alert(1)</script>",
  "<p title='\"><img src=x onerror=alert(1)>'>x</p>",
];

test.each(attacks)("makes harmless: %s", (attack) => {
  const { html } = prepareIssueBody(attack);
  expect(problemsIn(html)).toEqual([]);
  expect(prepareIssueBody(html).html).toBe(html);
});

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
  for (let round = 0; round < 400; round += 1) {
    const soup = Array.from({ length: 30 }, () => {
      const tag = tags[next(tags.length)];
      return next(5) < 3 ? `<${tag}>` : next(2) === 0 ? `</${tag}>` : "x";
    }).join("");
    const { html } = prepareIssueBody(soup);
    expect(around(html), soup).toBe("<main><div></div><p></p></main><footer></footer>");
    expect(prepareIssueBody(html).html, soup).toBe(html);
  }
});

/** Longest that the worst of these may take, in milliseconds, on a slow and busy machine. */
const timeLimitMs = 8_000;

test.each([
  ["ten thousand levels", `${"<div>".repeat(10_000)}deep${"</div>".repeat(10_000)}`],
  ["levels without end", `${"<div>".repeat(200_000)}deep`],
  ["nested tables without end", `${"<table><tr><td>".repeat(60_000)}deep`],
  ["cells and items without end", `${"<tr><li>".repeat(120_000)}deep`],
  ["formatting tags without end", `${"<b>".repeat(200_000)}deep`],
  ["a million brackets", `${"<".repeat(1_000_000)} deep`],
  ["comments without end", `deep${"<!--".repeat(250_000)}`],
  [
    "a tag with a hundred thousand attributes",
    `<p ${Array.from({ length: 100_000 }, (_, n) => `a${n}=1`).join(" ")}>deep`,
  ],
  ["a style of a megabyte", `<p style="${"color:red;".repeat(100_000)}">deep`],
])("takes %s in bounded time", { timeout: timeLimitMs }, (_name, body) => {
  expect(problemsIn(prepareIssueBody(body).html)).toEqual([]);
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

const harmfulTags =
  /^(?:script|style|iframe|object|embed|link|meta|base|form|input|button|textarea|select|svg|math|template|noscript|video|audio|marquee|details|main|nav|header|footer|#comment)$/;
const ownAttributes =
  /^(?:id|style|title|lang|dir|align|href|target|rel|src|alt|width|height|loading|decoding|referrerpolicy|cellpadding|cellspacing|border|colspan|rowspan|valign|scope|abbr|headers|span|start|type|reversed|value|datetime|cite|class|role|tabindex|aria-label)$/;

/** What a browser would find in `html` that has no place in an issue, told by tree and not by pattern. */
function problemsIn(html: string): string[] {
  const problems: string[] = [];
  const main = page(html).find(isElement);
  const box = main === undefined ? undefined : childElements(main)[0];
  const visit = (node: Node): void => {
    if (harmfulTags.test(node.nodeName)) problems.push(node.nodeName);
    for (const { name, value } of "attrs" in node ? node.attrs : []) {
      if (!ownAttributes.test(name)) problems.push(`${node.nodeName} ${name}`);
      if (
        /^(?:href|src|cite)$/.test(name) &&
        !/^(?:https?:\/\/|mailto:|tel:|#issue-|data:image\/(?:png|jpeg|gif|webp);base64,)/i.test(
          value,
        )
      )
        problems.push(`${name} ${value}`);
      if (name === "class" && !/^issue-[a-z-]+$/.test(value)) problems.push(`class ${value}`);
      if (name === "id" && !value.startsWith("issue-")) problems.push(`id ${value}`);
      if (name === "role" && !/^(?:presentation|region)$/.test(value))
        problems.push(`role ${value}`);
      if (
        name === "style" &&
        /url|expression|position|inset|z-index|transform|animation|opacity|binding|var\(|--|!|\\|[{}<>"'@]|-\d+(?:px)?\b(?<!0)|9999/.test(
          value.replace(/#[0-9a-f]+/g, ""),
        )
      )
        problems.push(`style ${value}`);
    }
    if ("childNodes" in node) for (const child of node.childNodes) visit(child);
  };
  for (const node of box?.childNodes ?? []) visit(node);
  return problems;
}
