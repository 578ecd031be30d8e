import { createSocket } from "node:dgram";
import { once } from "node:events";

const typeNumbers = { A: 1, MX: 15, TXT: 16 };

type NameRecords = Record<string, Partial<Record<keyof typeof typeNumbers, string>>>;

/** Answers for these names and no others (RFC 1035), so that what asks for names needs no network. */
export async function startNameServer(records: NameRecords) {
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => {
    socket.send(answerTo(query, records), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    port: socket.address().port,
    async stop() {
      socket.close();
    },
  };
}

function answerTo(query: Buffer, records: NameRecords): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const question = query.subarray(12, at + 5);
  const asked = query.readUInt16BE(at + 1);
  const known = records[labels.join(".").toLowerCase()];
  const [type] = Object.entries(typeNumbers).find(([, number]) => number === asked) ?? [];
  const value = type && known?.[type as keyof typeof typeNumbers];
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  // An answer with authority; 3 is "no such name".
  header.writeUInt16BE(0x8580 | (known ? 0 : 3), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(value ? 1 : 0, 6);
  if (!value) return Buffer.concat([header, question]);
  const data = dataOf(asked, value);
  const record = Buffer.alloc(12);
  // The name is that of the question.
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(asked, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(60, 6);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([header, question, record, data]);
}

function dataOf(type: number, value: string): Buffer {
  const text = (words: string) => Buffer.concat([Buffer.from([words.length]), Buffer.from(words)]);
  if (type === typeNumbers.A) return Buffer.from(value.split(".").map(Number));
  if (type === typeNumbers.TXT) {
    return Buffer.concat((value.match(/.{1,255}/g) ?? []).map(text));
  }
  return Buffer.concat([Buffer.from([0, 10]), ...value.split(".").map(text), Buffer.from([0])]);
}
