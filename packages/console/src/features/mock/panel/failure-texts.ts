import { type DeviceCodeName, deviceCodeName, deviceCodes, isDeviceCodeName } from '@device-center/contract';
import i18next from 'i18next';
import { currentLanguage } from '../../../i18n/language.ts';
import type { Failure } from './step-progress.ts';

/** A failure and its remedy in the user's language; `detail` is the technical message. */
export type FailureText = { code: string; summary: string; remedy: string; detail: string };

const ofCode = (word: DeviceCodeName, message = ''): FailureText => {
  const known = deviceCodes[word];
  const language = currentLanguage();
  // The hub's message contains the same text; show it only if it adds something, such as the path of a value.
  const addsDetail = ![known.zh_CN, known.en_US].some((sentence) => message.endsWith(sentence));
  return {
    code: `${known.number} ${word}`,
    summary: known[language],
    remedy: known.remedy[language],
    detail: addsDetail ? message : '',
  };
};

/** MQTT 5 reason codes that the hub sends in DISCONNECT. */
const disconnectTexts = {
  130: 'disconnect_protocolError',
  139: 'disconnect_hubStopped',
  141: 'disconnect_keepAlive',
  142: 'disconnect_replaced',
  151: 'disconnect_tooSlow',
  160: 'disconnect_tokenExpired',
} as const;
const isKnownReasonCode = (code: number): code is keyof typeof disconnectTexts => Object.hasOwn(disconnectTexts, code);
/** MQTT 5 "administrative action": kicked, blacklisted, deleted or disabled. The next login gives the exact reason. */
const ADMINISTRATIVE = 152;

const ofDisconnect = (reasonCode: number, message: string): FailureText => {
  const known = isKnownReasonCode(reasonCode) ? i18next.t(`deviceDetail:${disconnectTexts[reasonCode]}`) : message;
  const summary = reasonCode === ADMINISTRATIVE ? i18next.t('mockPanel:disconnectedByPlatform') : known;
  return { code: '', summary, remedy: '', detail: '' };
};

const TIMED_OUT = /time(?:d\s?)?out|unanswered|aborted/i;
const SOCKET_LOST = /^connection lost$/;

/** Browsers tell pages little about failed connections, so the device's own message becomes the detail. */
const ofNetwork = (message: string): FailureText => {
  const kind = navigator.onLine ? (TIMED_OUT.test(message) ? 'noAnswer' : 'unreachable') : 'browserOffline';
  const detail = kind === 'unreachable' && !SOCKET_LOST.test(message) ? message : '';
  return {
    code: '',
    summary: i18next.t(SOCKET_LOST.test(message) ? 'mockPanel:connectionLost' : `mockPanel:${kind}`),
    remedy: i18next.t(`mockPanel:${kind}Remedy`),
    detail,
  };
};

/** Explains a response code. A device may use its own codes, which only its message explains. */
export const explainCode = (code: number, message: string): FailureText => {
  const word = deviceCodeName(code);
  return word ? ofCode(word, message) : { code: String(code), summary: message, remedy: '', detail: '' };
};

export const explainFailure = ({ code, word = '', message = '', reasonCode }: Failure): FailureText => {
  if (isDeviceCodeName(word)) return ofCode(word, message);
  if (code !== undefined) return explainCode(code, message);
  return reasonCode === undefined ? ofNetwork(message) : ofDisconnect(reasonCode, message);
};
