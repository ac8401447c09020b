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

/** What happened, and how to fix it. */
export type Explanation = { text: string; remedy: string };

export const explainCode = (codeName: DeviceCodeName): Explanation => {
  const { remedy, ...text } = deviceCodes[codeName];
  return { text: text[currentLanguage()], remedy: remedy[currentLanguage()] };
};

/** Explains the reason of a connection event: a disconnect reason, or the code name of a rejection. */
export const explainReason = (reason: string): Explanation => {
  if (isDisconnectReason(reason))
    return {
      text: i18next.t(`deviceDetail:disconnect_${reason}`),
      remedy: i18next.t(`deviceDetail:disconnectRemedy_${reason}`),
    };
  return isDeviceCodeName(reason) ? explainCode(reason) : { text: reason, remedy: '' };
};

/** Explains why a device is offline. A remedy of the cause takes precedence over that of the kind. */
export const explainOfflineReason = ({
  kind,
  cause,
}: Pick<OfflineReason, 'kind' | 'cause'>): Explanation & { cause: string } => {
  const text = i18next.t(`deviceDetail:offlineReason_${kind}`);
  if (cause === '') return { text, remedy: i18next.t(`deviceDetail:offlineRemedy_${kind}`), cause: '' };
  const explained = explainReason(cause);
  return { text, remedy: explained.remedy || i18next.t(`deviceDetail:offlineRemedy_${kind}`), cause: explained.text };
};

const ISO_TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g;

/** The detail of a connection event, with its ISO times shown as local times. */
export const detailText = (detail: string): string => visibleText(detail).replace(ISO_TIME, absoluteText);

/** Explains a response code. Codes that a device defines itself are explained by its message only. */
export const explainResponseCode = (code: number, message: string): Explanation | undefined => {
  if (code === CODE_OK || code === 0) return undefined;
  const codeName = deviceCodeName(code);
  return codeName === undefined ? { text: visibleText(message), remedy: '' } : explainCode(codeName);
};
