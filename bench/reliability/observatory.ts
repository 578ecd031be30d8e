import { type BuiltServer, startBuiltServer } from "../built-server.ts";
import type { BenchTable, Measurement } from "../measurement.ts";
import {
  installScanner,
  makeCertificate,
  type Scan,
  scanHost,
  scannerName,
} from "./observatory-scanner.ts";
import { startTlsFront } from "./tls-front.ts";

/** Pages whose headers differ: without an issue, with one, with an older one, and what isn't there. */
const paths = ["/", "/contact", "/newsletter", "/newsletter/1", "/search?q=lead"];

/**
 * The score that MDN's HTTP Observatory gives the site's answers: its scanner, unchanged, asks the built site by https
 * through what ends TLS, as it would ask a public site.
 */
export const observatory: Measurement = {
  name: "observatory",
  async run({ say }) {
    await installScanner(say);
    const certificate = await makeCertificate();
    const front = await startTlsFront({ key: certificate.private, cert: certificate.cert });
    let server: BuiltServer | null = null;
    try {
      server = await startBuiltServer({ SITE_URL: `https://${front.host}` });
      front.forwardTo(Number(new URL(server.url).port));
      const scans: [string, Scan][] = [];
      for (const path of paths) {
        say(path);
        scans.push([
          path,
          await scanHost(front.host + (path === "/" ? "" : path), certificate.file),
        ]);
      }
      return [scores(scans), rules(scans)];
    } finally {
      await server?.stop();
      await front.close();
    }
  },
};

function scores(scans: [string, Scan][]): BenchTable {
  return {
    title: "MDN HTTP Observatory",
    note: `Rules of ${scannerName}. 100 points are an A+, and there are points beyond. The redirection to https is that of what stands before the site.`,
    columns: ["page", "grade", "score", "tests passed"],
    rows: scans.map(([path, { scan }]) => [
      path,
      scan.grade,
      String(scan.score),
      `${scan.testsPassed} of ${scan.testsQuantity}`,
    ]),
  };
}

function rules(scans: [string, Scan][]): BenchTable {
  const [path, scan] = scans[0] ?? ["", null];
  return {
    title: `What each rule said of ${path}`,
    columns: ["rule", "passed", "result", "points"],
    rows: Object.entries(scan?.tests ?? {}).map(([name, test]) => [
      name,
      test.pass ? "yes" : "no",
      test.result,
      String(test.scoreModifier),
    ]),
  };
}
