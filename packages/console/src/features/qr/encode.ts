import { Ecc, QrCode } from '@rc-component/qrcode/es/libs/qrcodegen';

/** Error correction levels: about 7, 15, 25 and 30 % of a code can be restored. */
export const levels = ['L', 'M', 'Q', 'H'] as const;
export type Level = (typeof levels)[number];

/** Maximum number of bytes at each level. */
export const capacity: Record<Level, number> = { L: 2953, M: 2331, Q: 1663, H: 1273 };

const encoderLevels: Record<Level, Ecc> = { L: Ecc.LOW, M: Ecc.MEDIUM, Q: Ecc.QUARTILE, H: Ecc.HIGH };

/** Rows of modules without the margin; true is dark. */
export type Modules = readonly (readonly boolean[])[];

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Always encodes UTF-8 bytes, so that the limit does not depend on the characters. */
export const encode = (bytes: Uint8Array, level: Level): Modules =>
  QrCode.encodeBinary([...bytes], encoderLevels[level]).getModules();
