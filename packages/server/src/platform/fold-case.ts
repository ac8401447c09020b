/** Folds case and width for search and uniqueness. Done in the hub because SQLite folds ASCII only. */
export const foldCase = (text: string): string => text.normalize('NFKC').toLowerCase();
