import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { RejectedRowsTable } from './rejected-rows.tsx';
import type { CheckResult } from './sheet-form.tsx';

type SheetReportProps = { checked: CheckResult; onStart: () => void };

/** The result of the check, before anything is registered. */
export const SheetReport = ({ checked: { total, valid, refused }, onStart }: SheetReportProps) => {
  const { t } = useTranslation('device');
  const rejectedCount = total - valid;
  return (
    <section className="dc-card dc-padded dc-sheet-report" aria-label={t('sheetReport')}>
      <div className="dc-sheet-counts" role="status">
        <StatusDot tone={valid > 0 ? 'online' : 'offline'}>{t('sheetValid', { count: valid })}</StatusDot>
        {rejectedCount > 0 && <StatusDot tone="failed">{t('sheetRejected', { count: rejectedCount })}</StatusDot>}
        <span className="dc-muted">{t('sheetTotal', { count: total })}</span>
      </div>
      {refused.length > 0 && <RejectedRowsTable rows={refused} all={rejectedCount} />}
      <div>
        <Button type="primary" disabled={valid === 0} onClick={onStart}>
          {t('sheetStart', { count: valid })}
        </Button>
      </div>
    </section>
  );
};
