import { NAME_MAX, NOT_IN_NAMES, VERSION_NUMBER_MAX } from '@device-center/contract';

const EXTENSION = /\.[^.]*$/;
/** At least two groups of digits, so that the 3 of `lamp3` does not count; a suffix such as `-rc1` is included. */
const VERSION = /(?:^|[^A-Za-z0-9])[vV]?(\d+(?:\.\d+)+(?:-[A-Za-z0-9]+)?)$/;
const EDGE_SEPARATORS = /^[-_]+|[-_]+$/g;

/** Name and number in the name of a firmware file: `lamp-2.0.0.bin` is version 2.0.0 of `lamp`. Empty if missing. */
export const parseFileName = (fileName: string): { versionName: string; versionNumber: string } => {
  const stem = fileName.replace(EXTENSION, '');
  const match = VERSION.exec(stem);
  const versionNumber = match?.[1] ?? '';
  const name = (match ? stem.slice(0, match.index) : stem).replace(NOT_IN_NAMES, '-').slice(0, NAME_MAX);
  return {
    versionName: name.replace(EDGE_SEPARATORS, ''),
    versionNumber: versionNumber.length > VERSION_NUMBER_MAX ? '' : versionNumber,
  };
};
