import { DEVICE_ID } from '@device-center/contract';

/** The characters of a device id; all other characters are separators. */
const WORD = /[A-Za-z0-9_\-.:]+/g;

export const idsInText = (text: string): string[] =>
  [...text.matchAll(WORD)].map(([word]) => word).filter((word) => DEVICE_ID.test(word));

const cellsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|[,;\t])(?:"((?:[^"]|"")*)"|([^,;\t]*))/g)].map(([, quoted, plain]) =>
    (quoted?.replaceAll('""', '"') ?? plain ?? '').trim(),
  );

/** Ids from the column deviceId, as in an exported device list; without such a header from the first column. */
export const idsInSheet = (text: string): string[] => {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const [heading = '', ...rest] = lines;
  const named = cellsOf(heading).findIndex((cell) => cell.toLowerCase() === 'deviceid');
  const rows = named < 0 ? lines : rest;
  return rows.map((line) => cellsOf(line)[Math.max(named, 0)] ?? '').filter((cell) => DEVICE_ID.test(cell));
};

export type MergedIds = { ids: string[]; duplicates: string[] };

/** Adds ids. Ids that are already present or occur twice are kept once and reported as duplicates. */
export const mergeIds = (present: readonly string[], added: readonly string[]): MergedIds => {
  const seen = new Set(present);
  const duplicates = new Set<string>();
  for (const id of added) {
    if (seen.has(id)) duplicates.add(id);
    seen.add(id);
  }
  return { ids: [...seen], duplicates: [...duplicates] };
};
