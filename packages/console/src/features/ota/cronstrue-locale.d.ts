/** The package has no types for its locales. Importing a locale registers it; it exports nothing. */
declare module 'cronstrue/locales/zh_CN.js';
