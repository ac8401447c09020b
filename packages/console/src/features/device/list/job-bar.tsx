import { useTranslation } from 'react-i18next';
import './job-bar.css';

type JobBarProps = { total: number; succeeded: number; failed: number };

/** The progress of a job, with the shares of succeeded and failed devices. */
export const JobBar = ({ total, succeeded, failed }: JobBarProps) => {
  const { t } = useTranslation('device');
  const share = (count: number) => ({ width: `${(100 * count) / Math.max(1, total)}%` });
  return (
    <div
      className="dc-job-bar"
      role="progressbar"
      aria-label={t('jobProgress')}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={succeeded + failed}
    >
      <i data-kind="succeeded" style={share(succeeded)} />
      <i data-kind="failed" style={share(failed)} />
    </div>
  );
};
