import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { exim4OfTests, hasProgram } from "../../scripts/install-debian-packages.ts";
import { newDkimKey } from "../dkim-key.ts";
import { freePort } from "../free-port.ts";
import { type Daemon, startDaemon, untilRefused } from "./daemon.ts";
import { startNameServer } from "./name-server.ts";
import { type PostfixSettings, startPostfix } from "./postfix.ts";

// The programs that a firm's mail goes through, started once for a file of tests, on ports of their own and out of one
// folder. The firm sends from firm.test; its subscribers are at readers.test and exim.test.
//
//   site → relay (Postfix; sign-in by Dovecot) → OpenDKIM, mx (Postfix) → Dovecot → a Maildir each
//                                              → exim (Exim)            → Dovecot
//   bounce reports → relay → Dovecot → the bounce mailbox, over IMAP

const programs = ["postfix", "opendkim", "rspamd", "postgrey"];

const dovecotVersion = spawnSync("dovecot", ["--version"], { encoding: "utf8" }).stdout ?? "";
/** That of Debian 13, with another form of settings than that of Debian 12. */
export const isDovecot24 = dovecotVersion.startsWith("2.4.");

/** They are root's to start. */
export const areMailProgramsThere =
  process.getuid?.() === 0 &&
  programs.every(hasProgram) &&
  (isDovecot24 || dovecotVersion.startsWith("2.3.")) &&
  spawnSync(exim4OfTests, ["-C", "/dev/null", "-bV"]).status === 0;

export const signIn = { user: "news@firm.test", password: "p@ss/w#rd" };
export const bounceAddress = "bounces@news.firm.test";

const certificate = path.join(import.meta.dirname, "../fixtures/tls/localhost.pem");
const certificateKey = path.join(import.meta.dirname, "../fixtures/tls/key.pem");

/** A time for rates that lets a limit of some mails a minute be tried in seconds. */
const rateUnit = "3s";

export type MailPrograms = Awaited<ReturnType<typeof startMailPrograms>>;

/** `mailsAMinute` is what the relay's slow port takes in the time that stands for a minute. */
export async function startMailPrograms({ mailsAMinute }: { mailsAMinute: number }) {
  const root = fs.mkdtempSync(path.join(tmpdir(), "mail-"));
  fs.chmodSync(root, 0o755);
  const started: Daemon[] = [];
  const running = <One extends Daemon>(daemon: One): One => {
    started.push(daemon);
    return daemon;
  };
  function folder(name: string, owner = "root") {
    const made = path.join(root, name);
    fs.mkdirSync(made);
    execFileSync("chown", [owner, made]);
    return made;
  }
  function write(file: string, text: string) {
    fs.writeFileSync(path.join(root, file), text);
    return path.join(root, file);
  }
  async function stop() {
    await Promise.all(started.splice(0).map((daemon) => daemon.stop()));
    fs.rmSync(root, { recursive: true, force: true });
  }

  const names = [
    ...["imap", "imaps", "lmtp", "auth", "quota", "greylist", "dkim", "milter", "rspamd", "exim"],
    ...["eximRelay", "eximOne", "eximOnce"],
    ...["submission", "submissions", "open", "unsigned", "small", "one", "slow", "ascii", "full"],
    ...["once", "mx", "filtered", "greylisting"],
  ] as const;
  const ports = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await freePort()] as const)),
  ) as Record<(typeof names)[number], number>;

  const dkimKey = newDkimKey();
  const mail = folder("mail", "mail");

  async function startDovecot() {
    const own = folder("dovecot");
    const oneByte = isDovecot24 ? "userdb_quota_storage_size=1B" : "userdb_quota_rule=*:bytes=1";
    write(
      "dovecot/users",
      `${signIn.user}:{PLAIN}${signIn.password}::::::
${bounceAddress}:{PLAIN}${signIn.password}::::::
full@readers.test:{PLAIN}none::::::${oneByte}
full@exim.test:{PLAIN}none::::::${oneByte}
`,
    );
    for (const domain of ["readers.test", "exim.test"]) {
      const maildir = path.join(mail, `full@${domain}`);
      for (const part of ["cur", "new", "tmp"])
        fs.mkdirSync(path.join(maildir, part), { recursive: true });
      fs.writeFileSync(
        path.join(maildir, "cur", "1.1.here,S=40:2,S"),
        "Subject: Here already\n\nSince long ago.\n",
      );
    }
    execFileSync("chown", ["-R", "mail:mail", mail]);
    const where = isDovecot24 ? "listen" : "address";
    const listener = (port: number) => `inet_listener of-tests {
    ${where} = 127.0.0.1
    port = ${port}
  }`;
    const fields = `fields {
    uid = mail
    gid = mail
    home = ${mail}/%{user | lower}
  }`;
    const ofVersion = isDovecot24
      ? `dovecot_config_version = 2.4.0
dovecot_storage_version = 2.4.0
mail_driver = maildir
mail_path = ${mail}/%{user | lower}
ssl_server_cert_file = ${certificate}
ssl_server_key_file = ${certificateKey}
mail_plugins = quota
quota "User quota" {
  quota_driver = maildir
}
quota_storage_size = 100M
quota_storage_grace = 0
quota_status_success = DUNNO
quota_status_nouser = DUNNO
passdb passwd-file {
  auth_username_format = %{user | lower}
  passwd_file_path = ${own}/users
}
userdb passwd-file {
  auth_username_format = %{user | lower}
  passwd_file_path = ${own}/users
  ${fields}
}
userdb static {
  userdb_static_allow_all_users = yes
  ${fields}
}
`
      : `mail_location = maildir:${mail}/%Lu
ssl_cert = <${certificate}
ssl_key = <${certificateKey}
mail_plugins = quota
plugin {
  quota = maildir:User quota
  quota_rule = *:storage=100M
  quota_grace = 0
  quota_status_success = DUNNO
  quota_status_nouser = DUNNO
}
passdb {
  driver = passwd-file
  args = username_format=%Lu ${own}/users
}
userdb {
  driver = passwd-file
  args = username_format=%Lu ${own}/users
  override_fields = uid=mail gid=mail home=${mail}/%Lu
}
userdb {
  driver = static
  args = uid=mail gid=mail home=${mail}/%Lu allow_all_users=yes
}
`;
    const configuration = write(
      "dovecot/conf",
      `${ofVersion}
base_dir = ${own}/run
state_dir = ${own}/state
log_path = ${own}/log
protocols = imap lmtp
hostname = mailboxes.firm.test
listen = 127.0.0.1
first_valid_uid = 8
auth_mechanisms = plain login
auth_failure_delay = 0
ssl = required
recipient_delimiter = +
quota_full_tempfail = no
service imap-login {
  inet_listener imap {
    port = ${ports.imap}
  }
  inet_listener imaps {
    port = ${ports.imaps}
    ssl = yes
  }
}
service lmtp {
  ${listener(ports.lmtp)}
}
service auth {
  ${listener(ports.auth)}
}
service quota-status {
  executable = quota-status -p postfix
  client_limit = 1
  ${listener(ports.quota)}
}
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service stats {
  unix_listener stats-writer {
    mode = 0666
  }
}
`,
    );
    const { imap, imaps, lmtp, auth } = ports;
    const command = ["dovecot", "-F", "-c", configuration];
    let daemon = await startDaemon(command, { ports: [imap, imaps, lmtp, auth] });
    const dovecot = {
      async stop() {
        await daemon.stop();
        // Its children go on for a moment.
        for (const port of [imaps, auth]) await untilRefused(port);
      },
      async start() {
        daemon = await startDaemon(command, { ports: [imap, imaps, lmtp, auth] });
      },
    };
    return running(dovecot);
  }

  async function startPostgrey() {
    const own = folder("postgrey", "postgrey");
    const nobody = write("postgrey/nobody", "");
    const options = [
      ...[`--inet=127.0.0.1:${ports.greylist}`, `--dbdir=${own}`, "--delay=1"],
      ...[`--whitelist-clients=${nobody}`, `--whitelist-recipients=${nobody}`],
      "--auto-whitelist-clients=0",
    ];
    running(await startDaemon(["postgrey", ...options], { ports: [ports.greylist] }));
  }

  async function startOpenDkim() {
    folder("opendkim", "opendkim");
    const keys = write("opendkim/keys", `mail._domainkey.firm.test ${dkimKey.record}\n`);
    const configuration = write(
      "opendkim/conf",
      `Mode v
Socket inet:${ports.dkim}@127.0.0.1
UserID opendkim
Background no
AuthservID mx.readers.test
AlwaysAddARHeader yes
On-BadSignature reject
TestPublicKeys ${keys}
`,
    );
    running(await startDaemon(["opendkim", "-f", "-x", configuration], { ports: [ports.dkim] }));
  }

  async function startRspamd() {
    const own = folder("rspamd", "_rspamd");
    const A = "192.0.2.10";
    const sends = { A, MX: "mail.firm.test", TXT: `v=spf1 ip4:${A} -all` };
    const records = await startNameServer({
      "firm.test": sends,
      "www.firm.test": { A },
      "mail.firm.test": { A },
      "news.firm.test": sends,
      "mail._domainkey.firm.test": { TXT: dkimKey.record },
      "_dmarc.firm.test": { TXT: "v=DMARC1; p=reject" },
    });
    running(records);
    const configuration = write(
      "rspamd/conf",
      `.include "/etc/rspamd/common.conf"
options {
  filters = "chartable,dkim,regexp";
  # Debian's list of all domains takes ten seconds to compile.
  url_tld = "${write("rspamd/domains", "ca\ncom\norg\ntest\n")}";
  cache_file = "${own}/symbols";
  control_socket = "${own}/socket mode=0600";
  hs_cache_dir = "${own}/";
  dns {
    nameserver = "127.0.0.1:${records.port}";
    timeout = 0.2s;
    retransmits = 1;
  }
  local_addrs = [];
  disable_hyperscan = true;
  disable_pcre_jit = true;
}
logging {
  type = "file";
  filename = "${own}/log";
}
worker "normal" {
  bind_socket = "127.0.0.1:${ports.rspamd}";
  count = 1;
}
worker "rspamd_proxy" {
  bind_socket = "127.0.0.1:${ports.milter}";
  milter = yes;
  count = 1;
  reject_message = "Spam message rejected";
  upstream "local" {
    default = yes;
    self_scan = yes;
  }
}
`,
    );
    const folders = ["DBDIR", "RUNDIR", "LOGDIR"].map((name) => `--var=${name}=${own}`);
    const as = ["-f", "-u", "_rspamd", "-g", "_rspamd"];
    const command = ["rspamd", ...as, "-c", configuration, ...folders];
    running(await startDaemon(command, { ports: [ports.rspamd, ports.milter] }));
  }

  async function startExim() {
    const own = folder("exim", "Debian-exim");
    const configuration = write(
      "exim/conf",
      `primary_hostname = mx.exim.test
exim_path = ${exim4OfTests}
spool_directory = ${own}/spool
log_file_path = ${own}/%slog
local_interfaces = 127.0.0.1
daemon_smtp_ports = ${[ports.exim, ports.eximRelay, ports.eximOne, ports.eximOnce].join(" : ")}
smtp_accept_max_per_host = \${if eq{$received_port}{${ports.eximOne}}{1}{0}}
tls_advertise_hosts =
message_size_limit = 100K
deliver_drop_privilege = true
smtputf8_advertise_hosts =
keep_environment =
acl_smtp_rcpt = recipient
acl_smtp_data = message
begin acl
recipient:
  deny message = relay not permitted
       condition = \${if eq{$received_port}{${ports.eximRelay}}}
       ! authenticated = *
  defer message = Sender rate overlimit
        condition = \${if eq{$received_port}{${ports.eximOnce}}}
        ratelimit = 1 / 1h / per_mail / strict
  accept domains = exim.test
         local_parts = ^late
  defer local_parts = ^defer
  deny local_parts = ^denied
  require message = relay not permitted
          domains = exim.test
  require verify = recipient
  accept
message:
  deny condition = \${if match{$h_subject:}{unwanted}}
       message = This message was classified as spam
  accept
begin routers
back:
  driver = manualroute
  domains = ! exim.test
  transport = back
  route_list = * 127.0.0.1 byname
  self = send
readers:
  driver = accept
  local_parts = ^reader : full
  transport = mailbox
  cannot_route_message = Unknown user
begin transports
back:
  driver = smtp
  port = ${ports.open}
  allow_localhost
  hosts_try_fastopen =
mailbox:
  driver = smtp
  protocol = lmtp
  hosts = 127.0.0.1
  port = ${ports.lmtp}
  allow_localhost
  hosts_override
begin retry
* * F,2s,1s
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_condition = false
  server_advertise_condition = \${if eq{$received_port}{${ports.eximRelay}}}
`,
    );
    const command = [exim4OfTests, "-bdf", "-q1s", "-C", configuration];
    running(await startDaemon(command, { ports: [ports.exim] }));
  }

  const dovecotSignIn: PostfixSettings = {
    smtpd_sasl_auth_enable: "yes",
    smtpd_sasl_type: "dovecot",
    smtpd_sasl_path: `inet:127.0.0.1:${ports.auth}`,
    smtpd_tls_auth_only: "yes",
    mynetworks: "",
  };
  const at = (port: number, settings: PostfixSettings = {}) => ({
    at: `127.0.0.1:${port}`,
    settings,
  });
  const lmtp = `lmtp:inet:127.0.0.1:${ports.lmtp}`;
  const tls: PostfixSettings = {
    smtpd_tls_cert_file: certificate,
    smtpd_tls_key_file: certificateKey,
  };

  async function startRelay() {
    const next = {
      "readers.test": ports.mx,
      "filtered.test": ports.filtered,
      "grey.test": ports.greylisting,
      "exim.test": ports.exim,
      "slow.test": 1,
    };
    const transports = [
      ...Object.entries(next).map(([domain, port]) => `{${domain}=smtp:[127.0.0.1]:${port}}`),
      ...["firm.test", "news.firm.test"].map((domain) => `{${domain}=${lmtp}}`),
    ];
    return running(
      await startPostfix(folder("relay"), {
        settings: {
          ...tls,
          myhostname: "relay.firm.test",
          mynetworks: "127.0.0.0/8",
          recipient_delimiter: "+",
          smtpd_relay_restrictions:
            "permit_sasl_authenticated, permit_mynetworks, reject_unauth_destination",
          transport_maps: `inline:{ ${transports.join(", ")} }`,
          default_transport:
            "error:5.4.4 Host or domain name not found. Name service error for name=nowhere.test type=A: Host not found",
          maximal_queue_lifetime: "5s",
          bounce_queue_lifetime: "30s",
          delay_warning_time: "1s",
          anvil_rate_time_unit: rateUnit,
        },
        listeners: [
          at(ports.submission, { ...dovecotSignIn, smtpd_tls_security_level: "encrypt" }),
          at(ports.submissions, { ...dovecotSignIn, smtpd_tls_wrappermode: "yes" }),
          at(ports.open),
          at(ports.unsigned, { mynetworks: "" }),
          at(ports.small, { message_size_limit: 1_000 }),
          at(ports.one, { smtpd_client_connection_count_limit: 1 }),
          at(ports.slow, { smtpd_client_message_rate_limit: mailsAMinute }),
          at(ports.once, { smtpd_client_message_rate_limit: 1 }),
          at(ports.ascii, { smtputf8_enable: "no" }),
          at(ports.full, { queue_minfree: "1000000000000000" }),
        ],
      }),
    );
  }

  async function startMx() {
    const own = folder("mx");
    const recipients = write(
      "mx/recipients",
      `/^full@/ fullness
/^denied@/ REJECT
/^closed@/ 550 5.2.1 The email account that you tried to reach is disabled
/^listed@/ 554 5.7.1 Service unavailable; Client host blocked using zen.spamhaus.org
/^nowhere@/ 550 5.4.4 Host or domain name not found
/^defer@/ DEFER
`,
    );
    const mailboxes = write("mx/mailboxes", "!/^nobody/ here\n");
    const refused = "/^nobody@/ 550 5.1.8 Sender address rejected: Domain not found\n";
    const senders = write("mx/senders", refused);
    const words = write("mx/headers", "/^Subject: .*unwanted/ REJECT\n");
    return running(
      await startPostfix(own, {
        settings: {
          ...tls,
          myhostname: "mx.readers.test",
          mynetworks: "",
          recipient_delimiter: "+",
          smtpd_relay_restrictions: "reject_unauth_destination",
          smtpd_restriction_classes: "fullness",
          fullness: `check_policy_service inet:127.0.0.1:${ports.quota}`,
          smtpd_recipient_restrictions: `check_sender_access regexp:${senders}, check_recipient_access regexp:${recipients}, permit`,
          virtual_mailbox_domains: "readers.test, filtered.test, grey.test",
          virtual_mailbox_maps: `regexp:${mailboxes}`,
          virtual_transport: lmtp,
          header_checks: `regexp:${words}`,
          relayhost: `[127.0.0.1]:${ports.open}`,
        },
        listeners: [
          at(ports.mx, { smtpd_milters: `inet:127.0.0.1:${ports.dkim}` }),
          at(ports.filtered, { smtpd_milters: `inet:127.0.0.1:${ports.milter}` }),
          at(ports.greylisting, {
            smtpd_recipient_restrictions: `check_policy_service inet:127.0.0.1:${ports.greylist}`,
          }),
        ],
      }),
    );
  }

  try {
    const before = [startPostgrey(), startOpenDkim(), startRspamd()];
    const [dovecot] = await Promise.all([startDovecot(), ...before]);
    const [relay] = await Promise.all([startRelay(), startMx(), startExim()]);
    return {
      ports,
      relay,
      dovecot,
      dkim: { domain: "firm.test", selector: "mail", privateKey: dkimKey.privateKey },
      /** Mails delivered to a mailbox. */
      lettersOf(address: string): string[] {
        const maildir = path.join(mail, address.toLowerCase());
        return ["new", "cur"].flatMap((part) => readFolder(path.join(maildir, part)));
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function readFolder(folder: string): string[] {
  try {
    return fs.readdirSync(folder).map((file) => fs.readFileSync(path.join(folder, file), "utf8"));
  } catch {
    return [];
  }
}
