import { crc32, deflateSync } from 'node:zlib';
import { type Answer, type Call, productCalls } from '@device-center/contract';

export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** 16 pixels wide and 8 high: red on the left, blue on the right. */
export const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wEEEAANAA0ADQANAA4ADQAOABAAEAAOABQAFgATABYAFAAeABsAGQAZABsAHgAtACAAIgAgACIAIAAtAEQAKg' +
    'AyACoAKgAyACoARAA8AEkAOwA3ADsASQA8AGwAVQBLAEsAVQBsAH0AaQBjAGkAfQCXAIcAhwCXAL4AtQC+APkA+QFOEQANAA0ADQANAA4ADQAO' +
    'ABAAEAAOABQAFgATABYAFAAeABsAGQAZABsAHgAtACAAIgAgACIAIAAtAEQAKgAyACoAKgAyACoARAA8AEkAOwA3ADsASQA8AGwAVQBLAEsAVQ' +
    'BsAH0AaQBjAGkAfQCXAIcAhwCXAL4AtQC+APkA+QFO/8EAEQgACAAQAwEiAAIRAQMRAf/EAFAAAQEBAAAAAAAAAAAAAAAAAAAFBhABAAAAAAAA' +
    'AAAAAAAAAAAAAAEBAAAAAAAAAAAAAAAAAAAABhEAAgMAAAAAAAAAAAAAAAAAAAZFg8L/2gAMAwEAAhEDEQA/AM+hARJElToUuMfbk//Z',
  'base64',
);

const bmpHeader = (width: number, height: number, first: number): Buffer => {
  const header = Buffer.alloc(54);
  header.write('BM');
  header.writeUInt32LE(first, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(width, 18);
  header.writeInt32LE(height, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(24, 28);
  return header;
};
/** One red pixel. */
export const BMP = Buffer.concat([bmpHeader(1, 1, 54), Buffer.from([0, 0, 0xff, 0])]);

const pngChunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
};
/** A black image with one bit per pixel: a few bytes at any size. */
export const blackPng = (width: number, height: number): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const lines = Buffer.alloc((Math.ceil(width / 8) + 1) * height);
  const chunks = [pngChunk('IHDR', header), pngChunk('IDAT', deflateSync(lines)), pngChunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([PNG.subarray(0, 8), ...chunks]);
};

/** A photo with EXIF data: a rotation by 90 degrees and a GPS position. */
export const EXIF = Buffer.concat([
  Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0', 'latin1'),
  Buffer.from('52.5200N 13.4050E'),
]);
export const TURNED_JPEG = Buffer.concat([
  JPEG.subarray(0, 2),
  Buffer.from([0xff, 0xe1, 0, EXIF.length + 2]),
  EXIF,
  JPEG.subarray(2),
]);

/** The chunk names and the size of a PNG. */
export const readPng = (bytes: Buffer) => {
  const chunks: string[] = [];
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at))
    chunks.push(bytes.toString('latin1', at + 4, at + 8));
  return { chunks, width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
};
export const GIF = Buffer.from('GIF89a\x01\0\x01\0');
export const HTML = Buffer.from('<!doctype html><script>alert(document.domain)</script>');
export const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');

type Sender = { url: string; token: string };
type File = { bytes: Uint8Array; filename?: string; type?: string; language?: string };

/** Sends a file as a browser does. */
export const upload = async (
  { url, token }: Sender,
  call: Call,
  { bytes, filename = 'picture.png', type = '', language = 'en-US' }: File,
): Promise<Answer<unknown>> => {
  const body = new FormData();
  body.set('multipartFile', new Blob([Uint8Array.from(bytes)], { type }), filename);
  const headers = { Authorization: token, 'Accept-Language': language };
  const response = await fetch(url + call.path, { method: 'POST', headers, body });
  const answer = (await response.json()) as Answer<unknown>;
  if (answer.statusCode !== response.status)
    throw new Error(`statusCode ${answer.statusCode} under HTTP ${response.status}`);
  return answer;
};

/** Uploads a product picture and returns its `icon`. */
export const uploadedIcon = async (sender: Sender, bytes: Uint8Array = PNG): Promise<string> => {
  const answer = await upload(sender, productCalls.uploadProductPicture, { bytes });
  if (!answer.success) throw new Error(answer.code);
  return (answer.data as { icon: string }).icon;
};

export const pictureIdOf = (address: string): string => /pictureId=(\w+)$/.exec(address)?.[1] ?? '';
