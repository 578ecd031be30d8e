/** Long after any page's first paint: for tabs that aren't seen, and for browsers that don't tell of it. */
const paintPatienceMs = 1_000;

const wholeImport = /^\s*import\s+(?:\*\s+as\s+(\w+)\s+from\s+)?("[^"\n]+");?/gm;
/** What only a module may say: an import of another form, or an export. */
const moduleSyntax = /(?:^|[;}])\s*(?:import\s*["'\w*{.]|export\b)/m;

/**
 * Of the router's start, a module with static imports, the script that imports the same modules once the page has been
 * painted, or after a second. Null where the module says something that a script can't.
 */
export function startAfterPaint(code: string, files: readonly string[]): string | null {
  const imports = [...code.matchAll(wholeImport)];
  const names = imports.map(([, name = ""]) => name).join(",");
  const modules = imports.map(([, , address]) => `import(${address})`).join(",");
  const rest = code.replace(wholeImport, "");
  if (imports.length === 0 || moduleSyntax.test(rest)) return null;
  return [
    `new Promise(r=>{setTimeout(r,${paintPatienceMs});`,
    `new PerformanceObserver(r).observe({type:"paint",buffered:true})}).then(async()=>{`,
    // All at once: each module alone would be asked for only when the one that needs it has come.
    `for(let href of ${JSON.stringify(files)})document.head.append(`,
    `Object.assign(document.createElement("link"),{rel:"modulepreload",href}));`,
    `let[${names}]=await Promise.all([${modules}]);${rest.trim().replace(/;\s+/g, ";")}})`,
  ].join("");
}
