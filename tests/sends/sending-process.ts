/** The worker that sends issues, as a process of its own, so that it can be killed: on the database that it is told of. */
import pino from "pino";
import { openDatabase } from "#db/open-database.ts";
import { createMailer } from "#mail/create-mailer.ts";
import { createSendWorker } from "#newsletter/sends/send-worker.ts";
import { testSite } from "../site-identity.ts";
import { testSender } from "./queue-test-send.ts";
import { quickSendLimits } from "./quick-send-limits.ts";

const { settings, smtpUrl, connections } = JSON.parse(process.argv[2] ?? "{}");
const open = await openDatabase(settings);
const worker = createSendWorker({
  database: open,
  log: pino({ level: "fatal" }, pino.destination({ dest: 2, sync: true })),
  mailer: createMailer({
    smtpUrl,
    dataDir: "",
    from: '"Chalkline" <matrix@chalkline.example>',
    siteUrl: testSite.url,
    connections,
  }),
  ...testSender,
  // Short leases, so that the next process soon takes up a killed one's mails.
  limits: { ...quickSendLimits, connections, deliveryTimeoutMs: 1_500, leaseMs: 2_000 },
});
worker.start();
console.log("started");
process.on("disconnect", () => process.exit());
