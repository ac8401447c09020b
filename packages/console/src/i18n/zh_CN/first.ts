import { account } from './account.ts';
import { common } from './common.ts';
import { shell } from './shell.ts';

/** What is needed before anybody is signed in; the rest follows with the layout. */
export const firstTexts = { common, shell, account };
