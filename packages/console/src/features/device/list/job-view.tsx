import { ListChecks } from 'lucide-react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { countText } from '../../../i18n/numbers.ts';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import { minimiseJob, useJob } from './bulk-job.ts';
import { jobTitles } from './job-texts.ts';

const JobDrawer = lazyPart(() => import('./job-drawer.tsx'));

/** The active or ended job: its drawer, or the button that reopens the minimised drawer. */
export const JobView = () => {
  const { t } = useTranslation('device');
  const { job, minimised } = useJob();
  if (!job) return null;
  const done = job.succeeded + job.failures.length;
  return (
    <>
      {minimised && (
        <button type="button" className="dc-job-chip" onClick={() => minimiseJob(false)}>
          <ListChecks size={16} aria-hidden />
          {t(jobTitles[job.action.kind], { count: job.total })}
          <span className="dc-number">
            {countText(done)} / {countText(job.total)}
          </span>
        </button>
      )}
      <Suspense fallback={null}>
        <JobDrawer job={job} open={!minimised} />
      </Suspense>
    </>
  );
};
