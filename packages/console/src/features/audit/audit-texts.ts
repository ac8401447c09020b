import i18next from 'i18next';
import { attributeLabel, isDeviceAttribute } from '../../i18n/attribute-label.ts';
import type { CommandKey } from '../../i18n/command-key.ts';
import type { LazyResources } from '../../i18n/lazy.ts';

type FieldKey = keyof LazyResources['auditFields'];

const isKnownAction = (key: string): key is CommandKey => i18next.exists(`auditActions:${key}`);
const isField = (key: string): key is FieldKey => i18next.exists(`auditFields:${key}`);

/** The text of an action such as `role.addRole`. An action of a newer or older hub is shown by its name. */
export const actionText = (action: string): string => {
  const key = action.replace('.', '-');
  return isKnownAction(key) ? i18next.t(`auditActions:${key}`) : action;
};

/** The label of a field such as `menus.0`: the text of its first part, if there is one, and the rest. */
export const fieldText = (field: string): string => {
  const [first = '', ...rest] = field.split('.');
  if (isDeviceAttribute(first)) return attributeLabel(first);
  return isField(first) ? [i18next.t(`auditFields:${first}`), ...rest].join(' · ') : field;
};

/** Mutations without an audit entry: sending or checking a code changes nothing. */
const NOT_AUDITED = new Set<CommandKey>(['account-getVerificationCode', 'account-getPhoneCode', 'personal-checkCode']);

/** The texts cover every mutation of the contract, so their keys are the list of actions. */
export const actionOptions = (): { value: string; label: string }[] => {
  const texts = i18next.getResourceBundle(i18next.language, 'auditActions') as Record<CommandKey, string>;
  return (Object.entries(texts) as [CommandKey, string][])
    .filter(([key]) => !NOT_AUDITED.has(key))
    .map(([key, label]) => ({ value: key.replace('-', '.'), label }));
};
