/** Case and width do not matter in search and uniqueness; SQLite folds ASCII only, so it is done here for both engines. */
export const fold = (text: string): string => text.normalize('NFKC').toLowerCase();
