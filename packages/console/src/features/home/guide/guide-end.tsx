import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announceFailure, announceSuccess } from '../../../api/feedback.ts';
import { devicePath, mockPath } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx';
import { Link } from '../../../ui/routing.ts';
import type { GuideRun } from './guide-run.ts';
import { type GuideState, statusOfError } from './guide-state.ts';
import type { GuideResources } from './resources.ts';

/** Confirms and lists what is removed; an error stays visible in the dialog. */
const RemoveResources = ({ resources, run }: { resources: GuideResources; run: GuideRun }) => {
  const { t } = useTranslation('guide');
  const [confirming, setConfirming] = useState(false);
  const [removeError, setRemoveError] = useState<string>();
  const lines = [
    resources.device && t('removeDevice', { name: resources.device.name }),
    resources.product && t('removeProduct', { name: resources.product.name }),
    resources.child && t('removeProduct', { name: resources.child.name }),
    resources.application?.own && t('removeApplication', { name: resources.application.name }),
  ].filter((line) => typeof line === 'string');
  const remove = async () => {
    try {
      await run.remove();
      announceSuccess(t('removed'));
    } catch (error) {
      announceFailure(error);
      const status = statusOfError(error);
      setRemoveError('reason' in status ? status.reason : '');
    }
  };
  if (lines.length === 0) return null;
  return (
    <>
      <Button danger onClick={() => setConfirming(true)}>
        {t('remove')}
      </Button>
      <ConfirmDelete
        open={confirming}
        title={t('removeTitle')}
        text={
          <>
            <p>{t('removeText')}</p>
            <ul className="dc-guide-removals">
              {lines.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </>
        }
        okText={t('remove')}
        blockedReason={removeError}
        onConfirm={remove}
        onClose={() => {
          setConfirming(false);
          setRemoveError(undefined);
        }}
      />
    </>
  );
};

const KeepRunning = ({ resources, run }: { resources: GuideResources; run: GuideRun }) => {
  const { t } = useTranslation('guide');
  const [busy, setBusy] = useState(false);
  const keep = async () => {
    setBusy(true);
    await run.keepRunning().catch(announceFailure);
    setBusy(false);
  };
  if (resources.runsInHub) return <p role="status">{t('runningOnPlatform')}</p>;
  return (
    <Button loading={busy} onClick={() => void keep()}>
      {t('keepRunning')}
    </Button>
  );
};

/** Links to the device, and buttons to keep it running, to start over or to remove the resources. */
export const GuideEnd = ({
  state,
  resources,
  run,
}: {
  state: GuideState;
  resources: GuideResources;
  run: GuideRun;
}) => {
  const { t } = useTranslation('guide');
  const { statuses } = state;
  const finished = statuses.command.state === 'done';
  const reachedEnd = finished || statuses.command.state === 'blocked';
  if (Object.values(statuses).some(({ state: step }) => step === 'running')) return null;
  return (
    <footer className="dc-guide-end">
      {finished && <h3>{t('endTitle')}</h3>}
      {reachedEnd && resources.device && (
        <>
          <Link className="dc-guide-go" to={devicePath(resources.device.id)}>
            {t('openDevice')}
          </Link>
          <Link className="dc-guide-go" to={mockPath(resources.device.id)} search={{ start: 1 }}>
            {t('openPanel')}
          </Link>
          <KeepRunning resources={resources} run={run} />
        </>
      )}
      <Button title={t('startOverHint')} onClick={() => void run.startOver()}>
        {t('startOver')}
      </Button>
      <RemoveResources resources={resources} run={run} />
    </footer>
  );
};
