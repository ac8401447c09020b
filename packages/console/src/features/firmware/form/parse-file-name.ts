import { NAME_MAX, NOT_IN_NAMES, VERSION_NUMBER_MAX } from '@device-center/contract';

const EXTENSION = /\.[^.]*$/;
/** At least two parts of digits, so that the 3 of `lamp3` is none; a suffix such as `-rc1` belongs to it. */
const NUMBER = /(?:^|[^A-Za-z0-9])[vV]?(\d+(?:\.\d+)+(?:-[A-Za-z0-9]+)?)$/;
const AT_THE_ENDS = /^[-_]+|[-_]+$/g;

/** What the name of a firmware file says: `lamp-2.0.0.bin` is the lamp's 2.0.0. '' where it says nothing. */
export const parseFileName = (fileName: string): { versionName: string; versionNumber: string } => {
  const stem = fileName.replace(EXTENSION, '');
  const found = NUMBER.exec(stem);
  const versionNumber = found?.[1] ?? '';
  const name = (found ? stem.slice(0, found.index) : stem).replace(NOT_IN_NAMES, '-').slice(0, NAME_MAX);
  return {
    versionName: name.replace(AT_THE_ENDS, ''),
    versionNumber: versionNumber.length > VERSION_NUMBER_MAX ? '' : versionNumber,
  };
};
