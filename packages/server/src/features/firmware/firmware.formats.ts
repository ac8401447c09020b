import { type FirmwareExtension, type FirmwareFile, firmwareExtensionOf } from '@device-center/contract';

export type Fault = FirmwareFile['fault'];

/** So much of a file's beginning is enough to tell what it is. */
export const HEAD_BYTES = 512;

const TAR_MARK_AT = 257;

const isZip = (head: Buffer): boolean => head.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004', 'latin1'));

const isTar = (head: Buffer): boolean => head.toString('latin1', TAR_MARK_AT, TAR_MARK_AT + 5) === 'ustar';

/** A record of Intel HEX: its length, and a sum that makes all bytes together 0. */
const isHexRecord = (line: string): boolean => {
  if (!/^:(?:[0-9A-F]{2}){5,}$/i.test(line)) return false;
  const bytes = Buffer.from(line.slice(1), 'hex');
  return bytes.length === (bytes[0] ?? 0) + 5 && bytes.reduce((sum, byte) => sum + byte, 0) % 256 === 0;
};

const isHex = (head: Buffer): boolean => {
  const lines = head.toString('latin1').split(/\r\n|\n|\r/);
  // The last one is cut off by the end of the head, unless the file itself ends there.
  const whole = lines.length > 1 ? lines.slice(0, -1) : lines;
  return whole.every(isHexRecord);
};

const looks: Record<FirmwareExtension, (head: Buffer) => boolean> = {
  zip: isZip,
  apk: isZip,
  tar: isTar,
  hex: isHex,
  bin: () => true,
  img: () => true,
};

/** Whether a file begins as its name says. */
export const looksLike = (fileName: string, head: Buffer): boolean => {
  const extension = firmwareExtensionOf(fileName);
  return extension !== undefined && looks[extension](head);
};
