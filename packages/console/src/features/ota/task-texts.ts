import {
  type FailReasonId,
  type TaskAction,
  type TaskRow,
  type TaskStatusId,
  taskActionTexts,
  taskStatusTexts,
  type UpgradeStatusId,
  type UpgradeTally,
} from '@device-center/contract';
import dayjs from 'dayjs';
import i18next from 'i18next';
import { currentLanguage } from '../../i18n/language.ts';
import { countText } from '../../i18n/numbers.ts';
import type { Tone } from '../../ui/status-dot.tsx';

const asSentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

export const taskStatusText = (status: TaskStatusId): string => asSentence(taskStatusTexts[status][currentLanguage()]);
export const taskActionText = (action: TaskAction): string => asSentence(taskActionTexts[action][currentLanguage()]);
export const upgradeStatusText = (status: UpgradeStatusId): string => i18next.t(`ota:upgrade_${status}`);
export const reasonText = (reason: FailReasonId): string => (reason === 0 ? '' : i18next.t(`ota:reason_${reason}`));

export const taskTones: Record<TaskStatusId, Tone> = {
  0: 'offline',
  1: 'running',
  2: 'running',
  3: 'warning',
  4: 'offline',
  5: 'online',
  6: 'failed',
  7: 'warning',
  8: 'running',
};

export const upgradeTones: Record<UpgradeStatusId, Tone> = {
  0: 'offline',
  1: 'running',
  2: 'running',
  3: 'running',
  4: 'running',
  5: 'online',
  6: 'failed',
  7: 'offline',
};

/** Order of the states in a bar, from finished to waiting. */
export const barOrder: readonly UpgradeStatusId[] = [5, 6, 7, 4, 3, 2, 1, 0];

export const tallyText = (tally: UpgradeTally): string =>
  barOrder
    .filter((status) => tally[status] > 0)
    .map((status) => `${upgradeStatusText(status)} ${countText(tally[status])}`)
    .join(i18next.t('ota:listSeparator'));

export const minuteText = (time: string | number): string => dayjs(time).format('YYYY-MM-DD HH:mm');
export const windowText = ({ taskStart, taskEnd }: Pick<TaskRow, 'taskStart' | 'taskEnd'>): string =>
  `${minuteText(taskStart)} – ${minuteText(taskEnd)}`;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats a duration with two units: "2 d 3 h", "5 min 20 s". */
export const durationText = (milliseconds: number): string => {
  const left = Math.max(0, milliseconds);
  const [days, hours] = [Math.floor(left / DAY), Math.floor((left % DAY) / HOUR)];
  const [minutes, seconds] = [Math.floor((left % HOUR) / MINUTE), Math.floor((left % MINUTE) / 1000)];
  if (days > 0) return i18next.t('ota:lastsDays', { days, hours });
  if (hours > 0) return i18next.t('ota:lastsHours', { hours, minutes });
  if (minutes > 0) return i18next.t('ota:lastsMinutes', { minutes, seconds });
  return i18next.t('ota:lastsSeconds', { seconds });
};
