import { expect, test } from "vitest";
import { bounceKindOf } from "./record-bounce.ts";

test.each([
  ["550 5.1.1 No such user here", "hard"],
  ["550 5.2.1 Mailbox disabled", "hard"],
  ["552 5.2.2 Mailbox full", "soft"],
  ["550 5.1.0 <desk@chalkline.example>: Sender address rejected: User unknown", "sender"],
  ["550 5.1.0 <x@example.com> sender rejected. See our error codes. AUP#In-1310", "sender"],
  ["5.1.0 - Unknown address error 550-'5.1.1 Mailbox <x@example.com> does not exist'", "hard"],
  ["550 #5.1.0 Address rejected.", "soft"],
  ["550 No such user", "hard"],
  ["550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302)", "hard"],
  ["550 5.7.1 <user@example.com>: Recipient address rejected: user not found", "hard"],
  ["554 delivery error: dd This user doesn't have a yahoo.com account", "hard"],
  ["5.0.0 550 Requested action not taken: mailbox unavailable", "hard"],
  ["550 5.7.1 Unfortunately, messages from [192.0.2.7] weren't sent: block list (S3150)", "sender"],
  ["554 5.7.1 Spam: recipient address rejected, user unknown", "sender"],
  ["550 5.4.1 Recipient address rejected: Access denied", "soft"],
  ["550 Administrative prohibition", "soft"],
  ["554 Client host [212.5.1.30] blocked", "sender"],
  ["451 4.7.1 Greylisted", "soft"],
  ["550 5.1.90 The daily limit of messages has been reached", "sender"],
  [
    "550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents",
    "soft",
  ],
  ["550 5.0.350 Remote server returned an error -> 550 5.1.1 No, thanks", "hard"],
  ["550 5.0.350 Remote server returned an error -> 554 5.7.1 Client blocked by a list", "sender"],
  ["550 5.1.1 <x@example.com>: undeliverable address: host mx said: 552 5.2.2 Refused", "soft"],
])("%s is %s", (answer, kind) => {
  expect(bounceKindOf(answer)).toBe(kind);
});
