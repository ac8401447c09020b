import { type TaskDetails, UpgradeStatus } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { countText } from '../../../i18n/numbers.ts';
import { reasonText } from '../task-texts.ts';
import type { TaskDetailList } from './task-view.tsx';

type FailuresProps = { task: TaskDetails; list: TaskDetailList };

/** Failure reasons, the most frequent first. A bar filters the table below. */
export const Failures = ({ task: { failures }, list: { search, filter } }: FailuresProps) => {
  const { t } = useTranslation('otaDetail');
  const most = Math.max(...failures.map(({ devices }) => devices));
  return (
    <section className="dc-card dc-failures" aria-label={t('failures')}>
      <h2>{t('failures')}</h2>
      <ul>
        {failures.map(({ reason, devices }) => {
          const chosen = search.reason === reason;
          return (
            <li key={reason}>
              <button
                type="button"
                aria-pressed={chosen}
                onClick={() =>
                  filter({
                    tab: 'devices',
                    reason: chosen ? undefined : reason,
                    status: chosen ? undefined : [UpgradeStatus.failed],
                  })
                }
              >
                <span>{reasonText(reason) || t('noReason')}</span>
                <b>{countText(devices)}</b>
                <i aria-hidden="true" style={{ width: `${(devices / most) * 100}%` }} />
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
};
