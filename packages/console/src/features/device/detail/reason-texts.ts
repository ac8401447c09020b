import {
  CODE_OK,
  type DeviceCodeName,
  deviceCodeName,
  deviceCodes,
  isDeviceCodeName,
  isDisconnectReason,
  type OfflineReason,
  visibleText,
} from '@device-center/contract';
import i18next from 'i18next';
import { currentLanguage } from '../../../i18n/language.ts';
import { absoluteText } from '../../../ui/relative-time.tsx';

/** What happened, and what can be done about it. */
export type Explained = { said: string; remedy: string };

export const explainCode = (word: DeviceCodeName): Explained => {
  const { remedy, ...said } = deviceCodes[word];
  return { said: said[currentLanguage()], remedy: remedy[currentLanguage()] };
};

/** A reason of a connect record: why it was cut, or the word it was refused with. A newer hub may have others. */
export const explainReason = (reason: string): Explained => {
  if (isDisconnectReason(reason))
    return { said: i18next.t(`deviceDetail:cut_${reason}`), remedy: i18next.t(`deviceDetail:remedy_${reason}`) };
  return isDeviceCodeName(reason) ? explainCode(reason) : { said: reason, remedy: '' };
};

/** What a device is offline for; where the cause itself has a remedy, that one. */
export const explainWhy = ({ kind, cause }: Pick<OfflineReason, 'kind' | 'cause'>): Explained & { cause: string } => {
  const said = i18next.t(`deviceDetail:why_${kind}`);
  if (cause === '') return { said, remedy: i18next.t(`deviceDetail:whyRemedy_${kind}`), cause: '' };
  const explained = explainReason(cause);
  return { said, remedy: explained.remedy || i18next.t(`deviceDetail:whyRemedy_${kind}`), cause: explained.said };
};

const ISO_TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g;

/** The detail of a connect record: the hub writes times as ISO, people read their own. */
export const detailText = (detail: string): string => visibleText(detail).replace(ISO_TIME, absoluteText);

/** The number of an answer in words; a device may have numbers of its own, which only its own message explains. */
export const explainNumber = (code: number, message: string): Explained | undefined => {
  if (code === CODE_OK || code === 0) return undefined;
  const word = deviceCodeName(code);
  return word === undefined ? { said: visibleText(message), remedy: '' } : explainCode(word);
};
