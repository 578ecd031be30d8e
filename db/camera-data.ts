import { crc32 } from "node:zlib";

/**
 * Strips metadata, such as the place where a picture was taken. Keeps pixels, colours and
 * orientation.
 */
export function withoutCameraData(bytes: Buffer, type: string): Buffer {
  const strip = { "image/jpeg": stripJpeg, "image/png": stripPng, "image/webp": stripWebp }[type];
  try {
    return strip?.(bytes) ?? bytes;
  } catch {
    return bytes;
  }
}

/** ITU-T T.81, annex B; Exif 2.32, 4.5. */
function stripJpeg(bytes: Buffer): Buffer {
  const kept = [bytes.subarray(0, 2)];
  let at = 2;
  while (at + 2 <= bytes.length) {
    if (bytes[at] !== 0xff) return Buffer.concat([...kept, bytes.subarray(at)]);
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xd9) return Buffer.concat([...kept, bytes.subarray(at, at + 2)]);
    let end = at + 2 + bytes.readUInt16BE(at + 2);
    const content = bytes.subarray(at + 4, end);
    const begins = (text: string) => content.toString("latin1", 0, text.length) === text;
    // A scan's pixels follow its head, up to the next marker.
    if (marker === 0xda) {
      while (end + 1 < bytes.length && !isMarker(bytes[end], bytes[end + 1])) end += 1;
      if (end + 1 >= bytes.length) end = bytes.length;
    }
    const turned = marker === 0xe1 && begins("Exif\0\0") ? turnOf(content.subarray(6)) : null;
    if (turned) {
      const exif = Buffer.concat([Buffer.from("Exif\0\0"), turned]);
      kept.push(Buffer.from([0xff, 0xe1, 0, exif.length + 2]), exif);
    }
    // APP0 has the density, APP2 the colours, APP14 how the colours are coded.
    const isApp = marker >= 0xe0 && marker <= 0xef;
    const isNeeded =
      marker === 0xe0 || marker === 0xee || (marker === 0xe2 && begins("ICC_PROFILE\0"));
    if (isApp ? isNeeded : marker !== 0xfe) kept.push(bytes.subarray(at, end));
    at = end;
  }
  return Buffer.concat([...kept, bytes.subarray(at)]);
}

function isMarker(first = 0, second = 0): boolean {
  return first === 0xff && second !== 0 && (second < 0xd0 || second > 0xd7);
}

const pngMetadata = new Set(["eXIf", "tEXt", "zTXt", "iTXt", "tIME"]);

/** PNG, third edition, 5.3 and 11.3. */
function stripPng(bytes: Buffer): Buffer | null {
  const kept = [bytes.subarray(0, 8)];
  let at = 8;
  while (at + 12 <= bytes.length) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    const turned = type === "eXIf" ? turnOf(bytes.subarray(at + 8, end - 4)) : null;
    if (turned) kept.push(pngChunk(turned));
    if (!pngMetadata.has(type)) kept.push(bytes.subarray(at, end));
    if (type === "IEND") return Buffer.concat(kept);
    at = end;
  }
  return null;
}

function pngChunk(exif: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from("eXIf"), exif]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(exif.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** RFC 9649, section 2. */
function stripWebp(bytes: Buffer): Buffer | null {
  const whole = 8 + bytes.readUInt32LE(4);
  if (whole > bytes.length) return null;
  const kept: Buffer[] = [];
  let head: Buffer | null = null;
  let turn: Buffer | null = null;
  for (let at = 12; at + 8 <= whole; ) {
    const type = bytes.toString("latin1", at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    const end = at + 8 + size + (size % 2);
    const chunk = Buffer.from(bytes.subarray(at, Math.min(end, whole)));
    if (type === "VP8X") head = chunk;
    if (type === "EXIF") turn = turnOf(chunk.subarray(8, 8 + size));
    else if (type !== "XMP ") kept.push(chunk);
    at = end;
  }
  const exifBit = 0b1000;
  const xmpBit = 0b100;
  if (head) head[8] = ((head[8] ?? 0) & ~(exifBit | xmpBit)) | (turn ? exifBit : 0);
  if (turn) kept.push(riffChunk("EXIF", turn));
  return riffChunk("RIFF", Buffer.concat([Buffer.from("WEBP"), ...kept]));
}

function riffChunk(type: string, content: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from(type), size, content]);
}

/** An Exif block with the orientation alone; null for upright pictures. */
function turnOf(exif: Buffer): Buffer | null {
  const isLittle = exif.toString("latin1", 0, 2) === "II";
  const read16 = (at: number) => (isLittle ? exif.readUInt16LE(at) : exif.readUInt16BE(at));
  const read32 = (at: number) => (isLittle ? exif.readUInt32LE(at) : exif.readUInt32BE(at));
  try {
    const first = read32(4);
    for (let entry = 0; entry < read16(first); entry += 1) {
      const at = first + 2 + entry * 12;
      if (read16(at) !== orientationTag) continue;
      const turn = read16(at + 8);
      return turn > 1 && turn <= 8 ? exifWith(turn) : null;
    }
  } catch {}
  return null;
}

const orientationTag = 0x0112;

/** TIFF 6.0, section 2, most significant byte first: one directory with one entry, a short. */
function exifWith(turn: number): Buffer {
  const block = Buffer.alloc(26);
  block.write("MM\0*", "latin1");
  block.writeUInt32BE(8, 4);
  block.writeUInt16BE(1, 8);
  block.writeUInt16BE(orientationTag, 10);
  block.writeUInt16BE(3, 12);
  block.writeUInt32BE(1, 14);
  block.writeUInt16BE(turn, 18);
  return block;
}
