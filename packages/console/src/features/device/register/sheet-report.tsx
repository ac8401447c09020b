import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { RefusedTable } from './rejected-rows.tsx';
import type { Checked } from './sheet-form.tsx';

type SheetReportProps = { checked: Checked; onStart: () => void };

/** What would be registered and what not, before anything is. */
export const SheetReport = ({ checked: { total, valid, refused }, onStart }: SheetReportProps) => {
  const { t } = useTranslation('device');
  const bad = total - valid;
  return (
    <section className="dc-card dc-padded dc-sheet-report" aria-label={t('sheetReport')}>
      <div className="dc-sheet-counts" role="status">
        <StatusDot tone={valid > 0 ? 'online' : 'offline'}>{t('sheetValid', { count: valid })}</StatusDot>
        {bad > 0 && <StatusDot tone="failed">{t('sheetRefused', { count: bad })}</StatusDot>}
        <span className="dc-muted">{t('sheetTotal', { count: total })}</span>
      </div>
      {refused.length > 0 && <RefusedTable rows={refused} all={bad} />}
      <div>
        <Button type="primary" disabled={valid === 0} onClick={onStart}>
          {t('sheetStart', { count: valid })}
        </Button>
      </div>
    </section>
  );
};
