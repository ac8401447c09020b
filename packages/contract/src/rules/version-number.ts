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
