import { account } from './account.ts';
import { common } from './common.ts';
import { shell } from './shell.ts';

/** Texts needed before login. The layout loads the others. */
export const firstTexts = { common, shell, account };
