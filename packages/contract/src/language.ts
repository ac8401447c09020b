export const languages = ['zh_CN', 'en_US'] as const;
export type Language = (typeof languages)[number];

/** A text in both languages. */
export type Text = Record<Language, string>;

export const defaultLanguage: Language = 'zh_CN';

/** Parses an `Accept-Language` header; returns the first supported language. */
export const languageOf = (header: string | undefined): Language => {
  for (const part of (header ?? '').split(',')) {
    const tag = part.trim().toLowerCase();
    if (tag.startsWith('en')) return 'en_US';
    if (tag.startsWith('zh')) return 'zh_CN';
  }
  return defaultLanguage;
};

/** Fills `{name}` parameters into a text; `{name:product|products}` selects the singular or plural form. */
export const fill = (text: string, params: Record<string, string | number> = {}): string =>
  text.replace(/\{(\w+)(?::(\w+)\|(\w+))?\}/g, (whole, name: string, one?: string, several?: string) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined;
    if (one !== undefined && several !== undefined) return Number(value) === 1 ? one : several;
    return value === undefined ? whole : String(value);
  });
