import { Alert } from 'antd';
import { FileDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { downloadCsv, escapeFormula } from '../../../ui/csv.ts';
import { JobBar } from '../list/job-bar.tsx';
import type { Registration } from './registration.ts';
import { RejectedRowsTable } from './rejected-rows.tsx';

type RegistrationResultProps = {
  registration: Registration;
  /** Whether the secrets have been saved. */
  saved: boolean;
  onSaved: () => void;
  onCancel: () => void;
  onResume: () => void;
  onAgain: () => void;
};

const titles = {
  running: 'registering',
  cancelling: 'registering',
  cancelled: 'registrationCancelled',
  interrupted: 'registrationInterrupted',
  ended: 'registrationEnded',
} as const;

export const RegistrationResult = (props: RegistrationResultProps) => {
  const { registration, saved, onSaved, onCancel, onResume, onAgain } = props;
  const { t } = useTranslation('device');
  const { state, total, leftOut, registered, refused, message } = registration;
  const done = registration.done + leftOut;
  const failed = done - registered.length;
  const running = state === 'running' || state === 'cancelling';
  const save = () => {
    // Ids and secrets are not escaped: they cannot start a formula, and an escape character would change them.
    const rows = registered.map(({ deviceId, deviceName, deviceSecret }) => [
      deviceId,
      escapeFormula(deviceName),
      deviceSecret,
    ]);
    downloadCsv('device-credentials.csv', [['deviceId', 'deviceName', 'deviceSecret'], ...rows]);
    onSaved();
  };
  return (
    <section className="dc-card dc-padded dc-registration" aria-label={t(titles[state])}>
      <h2>{t(titles[state])}</h2>
      <JobBar total={total} succeeded={registered.length} failed={failed} />
      <p role="status">{t('registrationCount', { done, total, registered: registered.length, refused: failed })}</p>
      {running && (
        <div>
          <Button disabled={state === 'cancelling'} onClick={onCancel}>
            {t(state === 'cancelling' ? 'jobStopping' : 'jobStop')}
          </Button>
        </div>
      )}
      {state === 'interrupted' && (
        <Alert
          type="error"
          showIcon
          title={message}
          action={
            <Button size="small" onClick={onResume}>
              {t('registrationResume')}
            </Button>
          }
        />
      )}
      {!running && registered.length > 0 && (
        <Alert
          type={saved ? 'success' : 'warning'}
          showIcon
          title={t(saved ? 'secretsSaved' : 'secretsOnce')}
          action={
            <Button
              type={saved ? 'default' : 'primary'}
              needsHub={false}
              icon={<FileDown size={15} aria-hidden />}
              onClick={save}
            >
              {t('secretsSave', { count: registered.length })}
            </Button>
          }
        />
      )}
      {refused.length > 0 && <RejectedRowsTable rows={refused} all={failed} />}
      {!running && (
        <div>
          <Button disabled={!saved} onClick={onAgain}>
            {t('registerMore')}
          </Button>
        </div>
      )}
    </section>
  );
};
