import { defaultLanguage, type Language, languages } from '@device-center/contract';

/** Each language is named in itself, so that users who cannot read the page can find their own. */
export const languageNames: Record<Language, string> = { zh_CN: '简体中文', en_US: 'English' };

const KEY = 'language';
const YEAR_SECONDS = 31_536_000;
/** Spec §1: changing the language reloads the page after 200 ms. */
export const RELOAD_DELAY_MS = 200;

const isLanguage = (value: string | null | undefined): value is Language =>
  languages.some((language) => language === value);

const fromCookie = (): string | undefined =>
  document.cookie
    .split('; ')
    .find((part) => part.startsWith(`${KEY}=`))
    ?.slice(KEY.length + 1);

/** The cookie keeps the language when an expired token clears local storage. */
export const currentLanguage = (): Language => {
  const stored = localStorage.getItem(KEY);
  if (isLanguage(stored)) return stored;
  const remembered = fromCookie();
  return isLanguage(remembered) ? remembered : defaultLanguage;
};

export const languageTag = (): 'zh-CN' | 'en-US' => (currentLanguage() === 'zh_CN' ? 'zh-CN' : 'en-US');

export const rememberLanguage = (language: Language): void => {
  localStorage.setItem(KEY, language);
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve.
  document.cookie = `${KEY}=${language}; path=/; max-age=${YEAR_SECONDS}; SameSite=Lax`;
};

export const changeLanguage = (language: Language): void => {
  if (language === currentLanguage()) return;
  rememberLanguage(language);
  setTimeout(() => location.reload(), RELOAD_DELAY_MS);
};
