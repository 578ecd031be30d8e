import { spawn } from "node:child_process";

/** One answer of the registry is waited for so long. */
const answerTimeoutMs = 20_000;
const auditTimeoutMs = 60_000;

const severities = ["critical", "high", "moderate", "low", "info"] as const;
type Severity = (typeof severities)[number];

/** From here on a finding has to be dealt with before anything is released. */
const grave: readonly Severity[] = ["critical", "high"];

type Finding = { name: string; severity: Severity; titles: string[] };

/** `unanswered`: the registry could not be asked, so nothing is known, good or bad. */
type DependencyAudit =
  | { kind: "clean"; findings: Finding[] }
  | { kind: "found"; findings: Finding[] }
  | { kind: "unanswered"; reason: string };

/**
 * Asks the registry that npm is set up with whether faults are published of the packages that run in production, by
 * `package-lock.json` in the folder.
 */
export async function auditDependencies(
  folder: string,
  env = process.env,
): Promise<DependencyAudit> {
  const report = readReport(await askNpm(folder, env));
  if (!report?.vulnerabilities || !report.metadata) {
    return { kind: "unanswered", reason: describeRefusal(report) };
  }
  const findings = Object.entries(report.vulnerabilities).map(([name, { severity, via }]) => ({
    name,
    severity,
    titles: via.flatMap((cause) => (typeof cause === "string" ? [] : [cause.title])),
  }));
  const isGrave = findings.some(({ severity }) => grave.includes(severity));
  return { kind: isGrave ? "found" : "clean", findings };
}

/** What `npm audit` prints; its exit code says less. */
async function askNpm(folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  const parameters = ["--json", "--omit=dev", "--package-lock-only", "--fetch-retries=0"];
  const run = spawn("npm", ["audit", ...parameters, `--fetch-timeout=${answerTimeoutMs}`], {
    cwd: folder,
    env,
    timeout: auditTimeoutMs,
    stdio: ["ignore", "pipe", "ignore"],
  });
  // No npm at all is no answer either.
  run.on("error", () => {});
  let printed = "";
  for await (const chunk of run.stdout) printed += String(chunk);
  return printed;
}

/** The outcome in words, one line a finding, the worst first. */
export function describeAudit(audit: DependencyAudit): string {
  if (audit.kind === "unanswered") {
    return `NOT CHECKED: the package registry of this machine could not be asked for published faults (${audit.reason}). Run "npm audit --omit=dev" where one answers.`;
  }
  const heading = audit.kind === "found" ? "Faults that must be dealt with:" : "No grave faults.";
  const lines = audit.findings
    .toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
    .map(({ name, severity, titles }) => `  ${severity}  ${name}  ${titles.join("; ")}`.trimEnd());
  return [heading, ...lines].join("\n");
}

type Report = {
  vulnerabilities?: Record<string, { severity: Severity; via: (string | { title: string })[] }>;
  metadata?: unknown;
  statusCode?: number;
  error?: { code?: string };
};

function readReport(text: string): Report | null {
  try {
    return JSON.parse(text) as Report;
  } catch {
    return null;
  }
}

/** Without the registry's address, which is the machine's own business. */
function describeRefusal(report: Report | null): string {
  if (report?.statusCode) return `it answered ${report.statusCode}`;
  return report?.error?.code ?? "it gave no answer";
}
