const partsOf = (text: string): string[] => text.split('.');

const compareParts = (one = '0', other = '0'): number => {
  if (/^\d+$/.test(one) && /^\d+$/.test(other)) return Number(one) - Number(other);
  if (one === other) return 0;
  return one < other ? -1 : 1;
};

const compareDotted = (one: string, other: string): number => {
  const [ones, others] = [partsOf(one), partsOf(other)];
  for (let index = 0; index < Math.max(ones.length, others.length); index++) {
    const difference = compareParts(ones[index], others[index]);
    if (difference !== 0) return difference;
  }
  return 0;
};

const split = (version: string): [release: string, suffix: string] => {
  const dash = version.indexOf('-');
  return dash < 0 ? [version, ''] : [version.slice(0, dash), version.slice(dash + 1)];
};

/** Prefixes a number with its digit count, so that numbers sort numerically and before words. */
const keyOfPart = (part: string): string => {
  if (!/^\d+$/.test(part)) return part;
  const digits = part.replace(/^0+(?=\d)/, '');
  return String.fromCharCode('0'.charCodeAt(0) + digits.length) + digits;
};

/** Drops trailing zero parts, since 1.0 equals 1.0.0. */
const keyOfDotted = (text: string): string =>
  partsOf(text.replace(/(?:\.0+)+$/, ''))
    .map(keyOfPart)
    .join('.');

/** Sort key with which a database orders versions like compareVersions; '' for no version. */
export const versionSortKey = (version: string): string => {
  if (version === '') return '';
  const [release, suffix] = split(version);
  // In ASCII, "!" < "#" < ".".
  return suffix === '' ? `${keyOfDotted(release)}#` : `${keyOfDotted(release)}!${keyOfDotted(suffix)}`;
};

/**
 * Negative if the first version is older. Compares dot-separated parts, numeric ones as numbers; a version with a
 * `-suffix` is older than the one without.
 */
export const compareVersions = (one: string, other: string): number => {
  const [[release, suffix], [otherRelease, otherSuffix]] = [split(one), split(other)];
  const difference = compareDotted(release, otherRelease);
  if (difference !== 0) return difference;
  if (suffix === '' || otherSuffix === '') return Number(suffix === '') - Number(otherSuffix === '');
  return compareDotted(suffix, otherSuffix);
};
