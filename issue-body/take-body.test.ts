import { expect, test } from "vitest";
import { prepareIssueBody } from "./prepare-issue-body.ts";

const plain = (content: string) => prepareIssueBody(content).plainText;

// The specification, section 5: with a body tag only its content is shown; otherwise head, html and body tags go.
const cases: [name: string, content: string, words: string][] = [
  ["a fragment is shown whole", "<p>One</p><p>Two</p>", "One\nTwo"],
  ["plain text is shown as it is", "Just words", "Just words"],
  ["its body alone", "<html><head><title>T</title></head><body><p>In</p></body></html>", "In"],
  ["what stands before the body is left out", "before<body><p>In</p></body>", "In"],
  ["what stands after the body is left out", "<body><p>In</p></body>after", "In"],
  ["a body tag may be in capitals", "<HTML><BODY BGCOLOR=white><p>In</p></BODY></HTML>", "In"],
  ["attributes over lines", '<body\n  class="a > b"\n  style="margin:0">In</body>', "In"],
  ["a body that is not closed runs to the end", "<html><body><p>In</p><p>too", "In\ntoo"],
  ["a body closed only by html runs to it", "<body><p>In</p></html>", "In"],
  [
    "a second document",
    "<body>Mine <html><body>quoted</body></html> end</body>",
    "Mine quoted end",
  ],
  ["without a body the tags are stripped", "<html><p>In</p></html>", "In"],
  [
    "no body, and a head",
    "<html><head><title>T</title><style>p{}</style></head><p>In</p></html>",
    "In",
  ],
  ["a body end tag alone ends nothing", "<p>In</p></body><p>too</p>", "In\ntoo"],
  ["header is not head", "<header><p>In</p></header>", "In"],
  ["a body tag in a comment is not one", "<!-- <body> --><p>In</p>", "In"],
  ["a body tag in an attribute is not one", '<p title="<body>">In</p>', "In"],
  ["a body tag in a script is not one", "<script>'<body>'</script><p>In</p>", "In"],
  ["a body end tag in a comment ends nothing", "<body>In <!-- </body> -->still</body>", "In still"],
  ["a byte order mark and a doctype are no content", "\ufeff<!doctype html><p>In</p>", "In"],
  ["Outlook's own", "<body><!--[if mso]><p>Outlook</p><![endif]--><p>In</p></body>", "In"],
  ["what everyone but Outlook reads is kept", "<!--[if !mso]><!--><p>In</p><!--<![endif]-->", "In"],
  ["escaped tags are words", "<p>Use &lt;body&gt; once</p>", "Use <body> once"],
];

test.each(cases)("%s", (_name, content, words) => {
  expect(plain(content)).toBe(words);
});
