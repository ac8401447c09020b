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

const STORE_TIMEOUT_MS = 10_000;
const POLL_MS = 300;

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** Waits until other pages can read the value. */
export const waitUntilStored = async (deviceId: string, signCode: string): Promise<void> => {
  const deadline = Date.now() + STORE_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const latest = await send(recordCalls.getLatestValues, { deviceId });
    if (latest.some((entry) => entry.signCode === signCode)) return;
    await pause(POLL_MS);
  }
  throw new Error(i18next.t('guide:notStored'));
};

const failureText = ({ status, code, message }: CommandResult): string => {
  if (status === 'timedOut') return i18next.t('guide:timedOut');
  const codeName = deviceCodeName(code);
  const reason = codeName === undefined ? message || String(code) : deviceCodes[codeName][currentLanguage()];
  return i18next.t('guide:notAnswered', { reason });
};

/** Returns the device's response time in milliseconds. Throws unless the command succeeded. */
export const commandDevice = async (deviceId: string, signCode: string, value: unknown): Promise<number> => {
  const input = { deviceId, functionId: signCode, functionValue: JSON.stringify(value) };
  const result = await sendToDevice(controlCalls.commandDeviceFunction, input);
  if (!isCommandDone(result)) throw new Error(failureText(result));
  return result.costMs;
};
