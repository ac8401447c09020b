import { type FirmwareExtension, type FirmwareFile, firmwareExtensionOf } from '@device-center/contract';

export type Fault = FirmwareFile['fault'];

/** The format of a file is recognised by its first bytes. */
export const HEAD_BYTES = 512;

const TAR_MAGIC_OFFSET = 257;

const isZip = (head: Buffer): boolean => head.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004', 'latin1'));

const isTar = (head: Buffer): boolean => head.toString('latin1', TAR_MAGIC_OFFSET, TAR_MAGIC_OFFSET + 5) === 'ustar';

/** A record of Intel HEX: its length byte matches, and its checksum makes the sum of all bytes 0. */
const isHexRecord = (line: string): boolean => {
  if (!/^:(?:[0-9A-F]{2}){5,}$/i.test(line)) return false;
  const bytes = Buffer.from(line.slice(1), 'hex');
  return bytes.length === (bytes[0] ?? 0) + 5 && bytes.reduce((sum, byte) => sum + byte, 0) % 256 === 0;
};

const isHex = (head: Buffer): boolean => {
  const lines = head.toString('latin1').split(/\r\n|\n|\r/);
  // The last line is usually truncated by the end of the head.
  const completeLines = lines.length > 1 ? lines.slice(0, -1) : lines;
  return completeLines.every(isHexRecord);
};

const matchers: Record<FirmwareExtension, (head: Buffer) => boolean> = {
  zip: isZip,
  apk: isZip,
  tar: isTar,
  hex: isHex,
  bin: () => true,
  img: () => true,
};

/** Whether the first bytes of a file fit its extension. */
export const matchesExtension = (fileName: string, head: Buffer): boolean => {
  const extension = firmwareExtensionOf(fileName);
  return extension !== undefined && matchers[extension](head);
};
