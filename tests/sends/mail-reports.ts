/**
 * Reports as mail servers write them: the fields, their order, line breaks and blanks are those of published examples; the
 * names and numbers are not.
 */

type Returned = { returnPath: string; address: string };

const original = (address: string) => `From: "Chalkline" <matrix@chalkline.example>
To: ${address}
Subject: Quotes before lunch
Message-ID: <5b0c.17@chalkline.example>`;

const message = (text: string) => Buffer.from(text.replace(/\r?\n/g, "\r\n"));

/** Postfix, as `bounce(8)` writes it. */
export function postfixReport(
  { returnPath, address }: Returned,
  {
    status = "5.1.1",
    words = `550 5.1.1 <${address}>: Recipient address rejected: User unknown in\n    virtual mailbox table`,
  } = {},
): Buffer {
  return message(`Return-Path: <>
X-Original-To: ${returnPath}
Delivered-To: ${returnPath}
Received: by mx.chalkline.example (Postfix) id 2762F139CC7; Wed, 18 Nov 2026 15:19:49 -0500 (EST)
Date: Wed, 18 Nov 2026 15:19:49 -0500 (EST)
From: MAILER-DAEMON@mx.chalkline.example (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: ${returnPath}
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="2762F139CC7.1589354389/mx.chalkline.example"
Message-Id: <20261118201949.8B5C1139CC8@mx.chalkline.example>

This is a MIME-encapsulated message.

--2762F139CC7.1589354389/mx.chalkline.example
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

This is the mail system at host mx.chalkline.example.

--2762F139CC7.1589354389/mx.chalkline.example
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.chalkline.example
X-Postfix-Queue-ID: 2762F139CC7
X-Postfix-Sender: rfc822; ${returnPath}
Arrival-Date: Wed, 18 Nov 2026 15:19:40 -0500 (EST)

Final-Recipient: rfc822; ${address}
Original-Recipient: rfc822;${address}
Action: failed
Status: ${status}
Remote-MTA: dns; mail.example.com
Diagnostic-Code: smtp; ${words}

--2762F139CC7.1589354389/mx.chalkline.example
Content-Description: Undelivered Message Headers
Content-Type: text/rfc822-headers
Content-Transfer-Encoding: 7bit

Return-Path: <${returnPath}>
${original(address)}

--2762F139CC7.1589354389/mx.chalkline.example--
`);
}

/** Gmail, with the server's words over several lines. */
export function gmailReport({ returnPath, address }: Returned, action = "failed"): Buffer {
  return message(`Delivered-To: ${returnPath}
Return-Path: <>
From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>
To: ${returnPath}
Auto-Submitted: auto-replied
Subject: Delivery Status Notification (Failure)
References: <5b0c.17@chalkline.example>
In-Reply-To: <5b0c.17@chalkline.example>
X-Failed-Recipients: ${address}
Message-ID: <691c.050a@mx.google.com>
Date: Wed, 18 Nov 2026 12:19:49 -0800 (PST)
Content-Type: multipart/report; boundary="00000000000032ff9a063a99824d"; report-type=delivery-status

--00000000000032ff9a063a99824d
Content-Type: multipart/related; boundary="00000000000033222b063a998286"

--00000000000033222b063a998286
Content-Type: multipart/alternative; boundary="0000000000003322"

--0000000000003322
Content-Type: text/plain; charset="UTF-8"

** Address not found **
--0000000000003322--
--00000000000033222b063a998286--
--00000000000032ff9a063a99824d
Content-Type: message/delivery-status

Reporting-MTA: dns; googlemail.com
Received-From-MTA: dns; matrix@chalkline.example
Arrival-Date: Wed, 18 Nov 2026 12:19:48 -0800 (PST)
X-Original-Message-ID: <5b0c.17@chalkline.example>

Final-Recipient: rfc822; ${address}
Action: ${action}
Status: 5.1.1
Remote-MTA: dns; gmail-smtp-in.l.google.com. (142.250.0.27, the server for the domain gmail.com.)
Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please try
 550-5.1.1 double-checking the recipient's email address for typos or
 550 5.1.1 unnecessary spaces. - gsmtp
Last-Attempt-Date: Wed, 18 Nov 2026 12:19:49 -0800 (PST)

--00000000000032ff9a063a99824d
Content-Type: message/rfc822

Return-Path: <${returnPath}>
${original(address)}

Words.
--00000000000032ff9a063a99824d--
`);
}

/** Exchange: no blank after `rfc822;`, the original's recipient first, the text in another character set. */
export function exchangeReport({ returnPath, address }: Returned): Buffer {
  return message(`From: <postmaster@contoso.example>
To: <${returnPath}>
Date: Wed, 18 Nov 2026 20:19:49 +0000
Content-Type: multipart/report; report-type=delivery-status;
\tboundary="2f7a3728-b6eb-c93a-5e13-1cd42682787f"
Content-Language: en-US
Message-ID: <c86b0a14-46ef-4afe-41fb-e16f14a13492@contoso.example>
In-Reply-To: <5b0c.17@chalkline.example>
Subject: =?iso-8859-1?Q?Undeliverable:_Quotes?=

--2f7a3728-b6eb-c93a-5e13-1cd42682787f
Content-Type: multipart/alternative; differences=Content-Type;
\tboundary="2b5a6b30-cc46-bbac-ddee-09ed77168c67"

--2b5a6b30-cc46-bbac-ddee-09ed77168c67
Content-Type: text/plain; charset="iso-8859-1"
Content-Transfer-Encoding: quoted-printable

Delivery has failed to these recipients or groups:

--2b5a6b30-cc46-bbac-ddee-09ed77168c67--

--2f7a3728-b6eb-c93a-5e13-1cd42682787f
Content-Type: message/delivery-status

Reporting-MTA: dns;contoso.example
Received-From-MTA: dns;mx.chalkline.example
Arrival-Date: Wed, 18 Nov 2026 20:19:45 +0000

Original-Recipient: rfc822;${address}
Final-Recipient: rfc822;${address}
Action: failed
Status: 5.1.10
Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ${address} not found by SMTP address lookup


--2f7a3728-b6eb-c93a-5e13-1cd42682787f
Content-Type: message/rfc822

Received: from mx.chalkline.example by contoso.example with Microsoft SMTP Server
Return-Path: ${returnPath}
${original(address)}

Words.
--2f7a3728-b6eb-c93a-5e13-1cd42682787f--
`);
}

/** Amazon SES: Action before the recipient, Status last. */
export function sesReport({ returnPath, address }: Returned): Buffer {
  return message(`Return-Path: <>
From: MAILER-DAEMON@amazonses.com
To: ${returnPath}
Message-ID: <010f0193-000000@email.amazonses.com>
Subject: Delivery Status Notification (Failure)
MIME-Version: 1.0
Content-Type: multipart/report;
\tboundary="----=_Part_65535_12725651200.000020224044";
\treport-type=delivery-status
Date: Wed, 18 Nov 2026 20:19:49 +0000

------=_Part_65535_12725651200.000020224044
Content-Type: text/plain; charset=us-ascii
Content-Transfer-Encoding: 7bit
Content-Description: Notification

An error occurred while trying to deliver the mail to the following recipients:
${address}
------=_Part_65535_12725651200.000020224044
Content-Type: message/delivery-status
Content-Transfer-Encoding: 7bit
Content-Description: Delivery Status Notification

Reporting-MTA: dsn; e22-23.smtp-out.amazonses.com

Action: failed
Final-Recipient: rfc822; ${address}
Diagnostic-Code: smtp; 550 5.1.1 <${address}>: user unknown
Status: 5.1.1


------=_Part_65535_12725651200.000020224044
Content-Type: message/rfc822
Content-Description: Undelivered Message

${original(address)}

Words.
------=_Part_65535_12725651200.000020224044--
`);
}

/** Exim as most hosts run it: text alone, and a header that says whom it didn't reach. */
export function eximReport({ returnPath, address }: Returned): Buffer {
  return message(`Return-path: <>
Envelope-to: ${returnPath}
Delivery-date: Wed, 18 Nov 2026 15:19:49 -0500
X-Failed-Recipients: ${address}
Auto-Submitted: auto-replied
From: Mail Delivery System <Mailer-Daemon@host.example.net>
To: ${returnPath}
Subject: Mail delivery failed: returning message to sender
Message-Id: <E1d18ZP-0000cF-9f@host.example.net>
Date: Wed, 18 Nov 2026 15:19:49 -0500

This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ${address}
    SMTP error from remote mail server after RCPT TO:<${address}>:
    host mx1.example.com [192.0.2.32]: 550 5.1.1 <${address}>:
    Recipient address rejected: User unknown

------ This is a copy of the message, including all the headers. ------

Return-path: <${returnPath}>
${original(address)}

Words.
`);
}

/** A feedback report (RFC 5965, appendix B.2); the address taken out, as large services do it. */
export function feedbackReport({
  mailFrom,
  unsubscribe = "",
  type = "abuse",
}: {
  mailFrom: string;
  unsubscribe?: string;
  type?: string;
}): Buffer {
  return message(`From: <abusedesk@example.com>
Date: Thu, 19 Nov 2026 17:40:36 -0500
Subject: FW: Quotes before lunch
To: <fbl@chalkline.example>
Message-ID: <20030712040037.46341.5F8J@example.com>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report;
     boundary="part1_13d.2e68ed54_boundary"

--part1_13d.2e68ed54_boundary
Content-Type: text/plain; charset="US-ASCII"
Content-Transfer-Encoding: 7bit

This is an email abuse report for an email message received from IP
192.0.2.1 on Thu, 19 Nov 2026 14:00:00 -0500.

--part1_13d.2e68ed54_boundary
Content-Type: message/feedback-report

Feedback-Type: ${type}
User-Agent: SomeGenerator/1.0
Version: 1
Original-Mail-From: <${mailFrom}>
Received-Date: Thu, 19 Nov 2026 14:00:00 -0500
Source-IP: 192.0.2.1
Reported-Domain: chalkline.example

--part1_13d.2e68ed54_boundary
Content-Type: message/rfc822
Content-Disposition: inline

From: "Chalkline" <matrix@chalkline.example>
To: <redacted@example.com>
Subject: Quotes before lunch
Message-ID: <5b0c.17@chalkline.example>${unsubscribe === "" ? "" : `\nList-Unsubscribe: <${unsubscribe}>,\n <mailto:hello@chalkline.example>`}

Words.
--part1_13d.2e68ed54_boundary--
`);
}

/** A report without a status part, by its headers and body. Most mail systems mark it as auto-replied. */
export function textReport(
  { returnPath, address }: Returned,
  {
    from = "MAILER-DAEMON@mx.example.net",
    subject = "failure notice",
    headers = "Auto-Submitted: auto-replied",
    type = "text/plain; charset=utf-8",
    body,
  }: { from?: string; subject?: string; headers?: string; type?: string; body: string },
): Buffer {
  return message(`Return-Path: <>
From: ${from}
To: ${returnPath}
Subject: ${subject}
${headers.replaceAll("ADDRESS", address)}
MIME-Version: 1.0
Content-Type: ${type}

${body.replaceAll("ADDRESS", address)}`);
}

/** A mixed message of these parts, each with its own headers, and the returned mail. */
export function partsOf(...parts: string[]): { type: string; body: string } {
  const returned = `Content-Type: message/rfc822\n\n${original("ADDRESS")}\n\nWords.\n`;
  return {
    type: 'multipart/mixed; boundary="part"',
    body: `${[...parts, returned].map((part) => `--part\n${part}\n`).join("")}--part--\n`,
  };
}

/** Microsoft's JMRP in its own format: the mail alone, with a header before its own. */
export function jmrpReport(unsubscribe: string): Buffer {
  return message(`From: <staff@hotmail.com>
To: <bounces@news.chalkline.example>
Subject: complaint about message from 192.0.2.80
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="jmrp"

--jmrp
Content-Type: message/rfc822
Content-Disposition: inline

X-HmXmrOriginalRecipient: somebody@example.com
${original("somebody@example.com")}
List-Unsubscribe: <${unsubscribe}>

Words.
--jmrp--
`);
}
