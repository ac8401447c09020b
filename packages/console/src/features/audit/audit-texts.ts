import i18next from 'i18next';
import type { CommandKey } from '../../i18n/command-key.ts';
import { factLabel, isFact } from '../../i18n/fact-label.ts';
import type { LazyResources } from '../../i18n/lazy.ts';

type FieldKey = keyof LazyResources['auditFields'];

const isCommand = (key: string): key is CommandKey => i18next.exists(`auditActions:${key}`);
const isField = (key: string): key is FieldKey => i18next.exists(`auditFields:${key}`);

/** `role.addRole` in words; an action of a newer or older hub keeps its own name. */
export const actionText = (action: string): string => {
  const key = action.replace('.', '-');
  return isCommand(key) ? i18next.t(`auditActions:${key}`) : action;
};

/** `menus.0` by the words of its first part, where there are any. */
export const fieldText = (field: string): string => {
  const [first = '', ...rest] = field.split('.');
  if (isFact(first)) return factLabel(first);
  return isField(first) ? [i18next.t(`auditFields:${first}`), ...rest].join(' · ') : field;
};

/** Codes are sent and checked without an entry: nothing is changed by them. */
const NEVER_WRITTEN = new Set<CommandKey>([
  'account-getVerificationCode',
  'account-getPhoneCode',
  'personal-checkCode',
]);

/** The texts name every command of the contract, so they are the list. */
export const actionOptions = (): { value: string; label: string }[] => {
  const words = i18next.getResourceBundle(i18next.language, 'auditActions') as Record<CommandKey, string>;
  return (Object.entries(words) as [CommandKey, string][])
    .filter(([key]) => !NEVER_WRITTEN.has(key))
    .map(([key, label]) => ({ value: key.replace('-', '.'), label }));
};
