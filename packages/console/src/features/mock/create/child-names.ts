/** As long as a device's name may be. */
const NAME_MAX = 50;

/** Names for so many new children of a product: numbered on, and none that is there already. */
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
