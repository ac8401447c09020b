import { type CommandResult, isCommandDone } from '@device-center/contract';
import i18next from 'i18next';

/** What the device did not do is an error, in its own words where it has any. */
export const expectDone = (result: CommandResult): void => {
  if (!isCommandDone(result)) throw new Error(result.message || i18next.t('device:noAnswer'));
};
