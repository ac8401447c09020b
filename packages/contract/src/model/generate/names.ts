/** Makes names unique: appends a number to a name that equals an earlier one, ignoring case. */
export const createNameAllocator = (): ((wanted: string) => string) => {
  const used = new Set<string>();
  return (wanted) => {
    let name = wanted;
    for (let count = 2; used.has(name.toLowerCase()); count++) name = `${wanted}_${count}`;
    used.add(name.toLowerCase());
    return name;
  };
};

/** Sanitizes a text for a comment: one line, without control characters, and without comment delimiters. */
export const inComment = (text: string): string =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/\*(?=\/)/g, '* ')
    .replace(/\/(?=\*)/g, '/ ')
    .trim();

/** Labels in generated code, always in English. */
export const accessLabels = { rw: 'read and write', r: 'read only', w: 'write only' };
export const eventLabels = { info: 'information', call: 'notification', alarm: 'alarm' };
