import {
  type CommandResult,
  controlCalls,
  deviceCodeName,
  deviceCodes,
  isCommandDone,
  recordCalls,
} from '@device-center/contract';
import i18next from 'i18next';
import { send, sendToDevice } from '../../../api/send.ts';
import { currentLanguage } from '../../../i18n/language.ts';

const STORED_WITHIN_MS = 10_000;
const ASK_AGAIN_MS = 300;

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** As the other pages will read it. */
export const untilStored = async (deviceId: string, signCode: string): Promise<void> => {
  const patience = Date.now() + STORED_WITHIN_MS;
  while (Date.now() < patience) {
    const latest = await send(recordCalls.getLatestValues, { deviceId });
    if (latest.some((entry) => entry.signCode === signCode)) return;
    await pause(ASK_AGAIN_MS);
  }
  throw new Error(i18next.t('guide:notStored'));
};

const refusalOf = ({ status, code, message }: CommandResult): string => {
  if (status === 'timedOut') return i18next.t('guide:timedOut');
  const word = deviceCodeName(code);
  const reason = word === undefined ? message || String(code) : deviceCodes[word][currentLanguage()];
  return i18next.t('guide:notAnswered', { reason });
};

/** Answers how long the device took; what is not a yes is an error. */
export const commandDevice = async (deviceId: string, signCode: string, value: unknown): Promise<number> => {
  const input = { deviceId, functionId: signCode, functionValue: JSON.stringify(value) };
  const result = await sendToDevice(controlCalls.commandDeviceFunction, input);
  if (!isCommandDone(result)) throw new Error(refusalOf(result));
  return result.costMs;
};
