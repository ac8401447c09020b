const partsOf = (text: string): string[] => text.split('.');

const compareParts = (one = '0', other = '0'): number => {
  if (/^\d+$/.test(one) && /^\d+$/.test(other)) return Number(one) - Number(other);
  if (one === other) return 0;
  return one < other ? -1 : 1;
};

const compareDotted = (one: string, other: string): number => {
  const [ones, others] = [partsOf(one), partsOf(other)];
  for (let place = 0; place < Math.max(ones.length, others.length); place++) {
    const difference = compareParts(ones[place], others[place]);
    if (difference !== 0) return difference;
  }
  return 0;
};

const split = (version: string): [release: string, suffix: string] => {
  const dash = version.indexOf('-');
  return dash < 0 ? [version, ''] : [version.slice(0, dash), version.slice(dash + 1)];
};

/** A number with the count of its digits before it sorts as a number, and before any word. */
const keyOfPart = (part: string): string => {
  if (!/^\d+$/.test(part)) return part;
  const digits = part.replace(/^0+(?=\d)/, '');
  return String.fromCharCode('0'.charCodeAt(0) + digits.length) + digits;
};

/** Without trailing zeros, since 1.0 is 1.0.0. */
const keyOfDotted = (text: string): string =>
  partsOf(text.replace(/(?:\.0+)+$/, ''))
    .map(keyOfPart)
    .join('.');

/** Text by which a database sorts versions as compareVersions does; '' for none. */
export const versionSortKey = (version: string): string => {
  if (version === '') return '';
  const [release, suffix] = split(version);
  // In ASCII "!" is before "#", and "#" before ".".
  return suffix === '' ? `${keyOfDotted(release)}#` : `${keyOfDotted(release)}!${keyOfDotted(suffix)}`;
};

/**
 * Below 0 when the first is the older one. Part by part at the dots, parts of digits as numbers; with a `-suffix` it is
 * older than without.
 */
export const compareVersions = (one: string, other: string): number => {
  const [[release, suffix], [otherRelease, otherSuffix]] = [split(one), split(other)];
  const difference = compareDotted(release, otherRelease);
  if (difference !== 0) return difference;
  if (suffix === '' || otherSuffix === '') return Number(suffix === '') - Number(otherSuffix === '');
  return compareDotted(suffix, otherSuffix);
};
