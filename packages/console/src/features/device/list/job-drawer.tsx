import { Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { CopyId } from '../../../ui/copy-id.tsx';
import { dismissJob, type Failure, isJobActive, type Job, minimiseJob, stopJob } from './bulk-job.ts';
import { JobBar } from './job-bar.tsx';
import { jobTitles } from './job-texts.ts';
import { useStartJob } from './pending-action.ts';

const DRAWER_WIDTH = 440;
/** Further failures are only counted, to limit rendering. */
const FAILURES_SHOWN = 200;

const FailureList = ({ failures }: { failures: readonly Failure[] }) => {
  const { t } = useTranslation('device');
  return (
    <section className="dc-job-failures" aria-label={t('jobFailures', { count: failures.length })}>
      <h3>{t('jobFailures', { count: failures.length })}</h3>
      <ul>
        {failures.slice(0, FAILURES_SHOWN).map(({ target: { deviceId, deviceName }, message }) => (
          <li key={deviceId}>
            <strong>{deviceName}</strong>
            <CopyId value={deviceId} label={deviceName} />
            <span>{message}</span>
          </li>
        ))}
      </ul>
      {failures.length > FAILURES_SHOWN && (
        <p className="dc-muted">{t('jobFailuresMore', { count: failures.length - FAILURES_SHOWN })}</p>
      )}
    </section>
  );
};

const Footer = ({ job: { state, action, failures, skipped } }: { job: Job }) => {
  const { t } = useTranslation(['device', 'common']);
  const start = useStartJob();
  if (state !== 'ended')
    return (
      <>
        <Button disabled={state === 'stopping'} onClick={stopJob}>
          {t(state === 'stopping' ? 'device:jobStopping' : 'device:jobStop')}
        </Button>
        <Button onClick={() => minimiseJob(true)}>{t('device:jobMinimise')}</Button>
      </>
    );
  const retryTargets = [...failures.map(({ target }) => target), ...skipped];
  return (
    <>
      <Button onClick={dismissJob}>{t('common:close')}</Button>
      {retryTargets.length > 0 && (
        <Button type="primary" onClick={() => start(action, retryTargets)}>
          {t('device:jobRetry', { count: retryTargets.length })}
        </Button>
      )}
    </>
  );
};

const JobDrawer = ({ job, open }: { job: Job; open: boolean }) => {
  const { t } = useTranslation('device');
  const close = () => (isJobActive(job) ? minimiseJob(true) : dismissJob());
  return (
    <Drawer
      open={open}
      // The page stays usable: a job of thousands takes minutes.
      mask={false}
      size={DRAWER_WIDTH}
      title={t(jobTitles[job.action.kind], { count: job.total })}
      onClose={close}
      footer={
        <div className="dc-job-footer">
          <Footer job={job} />
        </div>
      }
    >
      <div className="dc-job">
        <JobBar total={job.total} succeeded={job.succeeded} failed={job.failures.length} />
        <p role="status">
          {job.state === 'ended'
            ? t('jobEnded', { succeeded: job.succeeded, failed: job.failures.length })
            : t('jobAtWork', { done: job.succeeded + job.failures.length, total: job.total })}
        </p>
        {job.skipped.length > 0 && <p>{t('jobLeft', { count: job.skipped.length })}</p>}
        {job.failures.length > 0 && <FailureList failures={job.failures} />}
      </div>
    </Drawer>
  );
};

export default JobDrawer;
