import { type CommandResult, isCommandDone } from '@device-center/contract';
import i18next from 'i18next';

/** Throws unless the command succeeded, with the device's message if it sent one. */
export const assertCommandDone = (result: CommandResult): void => {
  if (!isCommandDone(result)) throw new Error(result.message || i18next.t('device:noAnswer'));
};
