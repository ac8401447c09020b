export const languages = ['zh_CN', 'en_US'] as const;
export type Language = (typeof languages)[number];

/** A sentence in both languages; leaving one out does not compile. */
export type Text = Record<Language, string>;

export const defaultLanguage: Language = 'zh_CN';

/** Reads an `Accept-Language` header; the first of our languages that it names wins. */
export const languageOf = (header: string | undefined): Language => {
  for (const part of (header ?? '').split(',')) {
    const tag = part.trim().toLowerCase();
    if (tag.startsWith('en')) return 'en_US';
    if (tag.startsWith('zh')) return 'zh_CN';
  }
  return defaultLanguage;
};

/** Puts `{name}` parameters into a sentence; `{name:product|products}` is the word that goes with its number. */
export const fill = (text: string, params: Record<string, string | number> = {}): string =>
  text.replace(/\{(\w+)(?::(\w+)\|(\w+))?\}/g, (whole, name: string, one?: string, several?: string) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined;
    if (one !== undefined && several !== undefined) return Number(value) === 1 ? one : several;
    return value === undefined ? whole : String(value);
  });
