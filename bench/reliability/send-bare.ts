import nodemailer, { type SendMailOptions } from "nodemailer";

/** Mails a second that Nodemailer alone hands over, which composes each and writes nothing down. */
export async function sendBare(
  { url, connections, mails }: { url: string; connections: number; mails: number },
  mailOf: (number: number) => SendMailOptions,
): Promise<number> {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: connections,
    maxMessages: Number.POSITIVE_INFINITY,
  });
  let next = 0;
  const begunAt = performance.now();
  async function sendOn() {
    while (next < mails) {
      const number = next;
      next += 1;
      await transport.sendMail(mailOf(number));
    }
  }
  await Promise.all(Array.from({ length: connections }, sendOn));
  transport.close();
  return (mails * 1000) / (performance.now() - begunAt);
}
