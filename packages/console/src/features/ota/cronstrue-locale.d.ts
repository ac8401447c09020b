/** The package has types for itself alone; a locale registers itself and answers nothing. */
declare module 'cronstrue/locales/zh_CN.js';
