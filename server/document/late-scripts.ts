/** Long after any page's first paint: for tabs that aren't seen, and for browsers that don't tell of it. */
const paintPatienceMs = 1_000;

const preloadLink =
  /<link (?:nonce="\w+" )?rel="modulepreload" href="(\/assets\/[\w.-]+\.js)"(?: nonce="\w+")?\/>/g;

/**
 * Lets a page be painted before its scripts are asked for, so that on a slow line they don't hold back the words and
 * the fonts. Nothing on a page needs them to be read.
 *
 * The router's own start, a module with static imports, becomes a script that imports the same modules once the page
 * has been painted, or after a second. Of the page's scripts only those with the site's nonce count. A page without such a
 * start stays as it is.
 */
export function withLateScripts(html: string, nonce: string): string {
  const start = [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)].find(
    ([, attributes = ""]) =>
      attributes.includes('type="module"') && attributes.includes(`nonce="${nonce}"`),
  );
  if (!start) return html;
  const [element, , code = ""] = start;
  const files = [...html.matchAll(preloadLink)].map(([, href = ""]) => href);
  const late = `<script nonce="${nonce}">${afterPaint(code, files)}</script>`;
  return inOneScript(
    html.replace(preloadLink, "").replace(element, () => late),
    nonce,
  );
}

/**
 * Moves what the page's inline scripts say into the last of them, in order, so that the page's policy needs one hash and
 * not five. The others stay, empty, where the router expects them when it takes over the page.
 */
function inOneScript(html: string, nonce: string): string {
  const scripts = new RegExp(`(?<=<script nonce="${nonce}">)(.+?)(?=</script>)`, "gs");
  const codes = [...html.matchAll(scripts)].map(([code]) => withoutIndents(code));
  let place = 0;
  return html.replace(scripts, () => {
    place += 1;
    return place < codes.length ? "" : codes.join("\n;");
  });
}

/** The router's own scripts are indented as in its sources; lines stay lines. */
function withoutIndents(code: string): string {
  return code.trim().replace(/\n[\t ]+/g, "\n");
}

const staticImport = /^\s*import\s+(?:\*\s+as\s+(\w+)\s+from\s+)?("[^"\n]+");?/gm;

function afterPaint(code: string, files: string[]): string {
  const imports = [...code.matchAll(staticImport)];
  const names = imports.map(([, name = ""]) => name).join(",");
  const modules = imports.map(([, , address]) => `import(${address})`).join(",");
  const rest = code.replace(staticImport, "").trim().replace(/;\s+/g, ";");
  return [
    `new Promise(r=>{setTimeout(r,${paintPatienceMs});`,
    `new PerformanceObserver(r).observe({type:"paint",buffered:true})}).then(async()=>{`,
    // All at once: each module alone would be asked for only when the one that needs it has come.
    `for(let href of ${JSON.stringify(files)})document.head.append(`,
    `Object.assign(document.createElement("link"),{rel:"modulepreload",href}));`,
    `let[${names}]=await Promise.all([${modules}]);${rest}})`,
  ].join("");
}
