import { type DeviceCodeName, deviceCodeName, deviceCodes, isDeviceCodeName } from '@device-center/contract';
import i18next from 'i18next';
import { currentLanguage } from '../../../i18n/language.ts';
import type { Failure } from './step-progress.ts';

/** A failure and its remedy in the user's language; `detail` is the technical message. */
export type Explained = { code: string; said: string; remedy: string; detail: string };

const ofCode = (word: DeviceCodeName, message = ''): Explained => {
  const known = deviceCodes[word];
  const language = currentLanguage();
  // The hub's message contains the same text; show it only if it adds something, such as the path of a value.
  const isNews = ![known.zh_CN, known.en_US].some((sentence) => message.endsWith(sentence));
  return {
    code: `${known.number} ${word}`,
    said: known[language],
    remedy: known.remedy[language],
    detail: isNews ? message : '',
  };
};

/** MQTT 5 reason codes that the hub sends in DISCONNECT. */
const endings = {
  130: 'cut_protocolError',
  139: 'cut_hubStopped',
  141: 'cut_keepAlive',
  142: 'cut_replaced',
  151: 'cut_tooSlow',
  160: 'cut_tokenExpired',
} as const;
const isKnownEnding = (code: number): code is keyof typeof endings => Object.hasOwn(endings, code);
/** MQTT 5 "administrative action": kicked, blacklisted, deleted or disabled. The next login gives the exact reason. */
const ADMINISTRATIVE = 152;

const ofEnding = (reasonCode: number, message: string): Explained => {
  const known = isKnownEnding(reasonCode) ? i18next.t(`deviceDetail:${endings[reasonCode]}`) : message;
  const said = reasonCode === ADMINISTRATIVE ? i18next.t('mockPanel:cutByOperator') : known;
  return { code: '', said, remedy: '', detail: '' };
};

const TIMED_OUT = /time(?:d\s?)?out|unanswered|aborted/i;
const SOCKET_LOST = /^connection lost$/;

/** Browsers tell pages little about failed connections, so the device's own message becomes the detail. */
const ofNetwork = (message: string): Explained => {
  const kind = navigator.onLine ? (TIMED_OUT.test(message) ? 'noAnswer' : 'unreachable') : 'browserOffline';
  const detail = kind === 'unreachable' && !SOCKET_LOST.test(message) ? message : '';
  return {
    code: '',
    said: i18next.t(SOCKET_LOST.test(message) ? 'mockPanel:connectionLost' : `mockPanel:${kind}`),
    remedy: i18next.t(`mockPanel:${kind}Remedy`),
    detail,
  };
};

/** Explains a response code. A device may use its own codes, which only its message explains. */
export const explainCode = (code: number, message: string): Explained => {
  const word = deviceCodeName(code);
  return word ? ofCode(word, message) : { code: String(code), said: message, remedy: '', detail: '' };
};

export const explainFailure = ({ code, word = '', message = '', reasonCode }: Failure): Explained => {
  if (isDeviceCodeName(word)) return ofCode(word, message);
  if (code !== undefined) return explainCode(code, message);
  return reasonCode === undefined ? ofNetwork(message) : ofEnding(reasonCode, message);
};
