/** Maximum length of a device name. */
const NAME_MAX = 50;

/** Numbered names for new children of a product that are not in `taken`. */
export const childNames = (productName: string, count: number, taken: readonly string[]): string[] => {
  const names: string[] = [];
  const known = new Set(taken);
  for (let number = 1; names.length < count; number++) {
    const end = `-${number}`;
    const name = productName.slice(0, NAME_MAX - end.length) + end;
    if (!known.has(name)) names.push(name);
  }
  return names;
};
