/** Gives each wanted name once; a later one that differs at most by case gets a number. */
export const nameGiver = (): ((wanted: string) => string) => {
  const given = new Set<string>();
  return (wanted) => {
    let name = wanted;
    for (let count = 2; given.has(name.toLowerCase()); count++) name = `${wanted}_${count}`;
    given.add(name.toLowerCase());
    return name;
  };
};

/** A text that can stand in a comment: on one line, with nothing unseen in it, and unable to end it or begin another. */
export const inComment = (text: string): string =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/\*(?=\/)/g, '* ')
    .replace(/\/(?=\*)/g, '/ ')
    .trim();

/** Generated code speaks English, as code does. */
export const accessWords = { rw: 'read and write', r: 'read only', w: 'write only' };
export const eventWords = { info: 'information', call: 'notification', alarm: 'alarm' };
