import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announceFailure, announceSuccess } from '../../../api/feedback.ts';
import { devicePath, mockPath } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDelete } from '../../../ui/confirm-delete.tsx';
import type { GuideRun } from './guide-run.ts';
import { type GuideState, tickOf } from './guide-state.ts';
import type { Made } from './resources.ts';

/** Asks first, and says what goes; a refusal stays in sight. */
const RemoveMade = ({ made, run }: { made: Made; run: GuideRun }) => {
  const { t } = useTranslation('guide');
  const [asking, setAsking] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const lines = [
    made.device && t('removeDevice', { name: made.device.name }),
    made.product && t('removeProduct', { name: made.product.name }),
    made.child && t('removeProduct', { name: made.child.name }),
    made.application?.own && t('removeApplication', { name: made.application.name }),
  ].filter((line) => typeof line === 'string');
  const remove = async () => {
    try {
      await run.remove();
      announceSuccess(t('removed'));
    } catch (error) {
      announceFailure(error);
      const tick = tickOf(error);
      setRefusal('reason' in tick ? tick.reason : '');
    }
  };
  if (lines.length === 0) return null;
  return (
    <>
      <Button danger onClick={() => setAsking(true)}>
        {t('remove')}
      </Button>
      <ConfirmDelete
        open={asking}
        title={t('removeTitle')}
        text={
          <>
            <p>{t('removeText')}</p>
            <ul className="dc-guide-doomed">
              {lines.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </>
        }
        okText={t('remove')}
        refusal={refusal}
        onConfirm={remove}
        onClose={() => {
          setAsking(false);
          setRefusal(undefined);
        }}
      />
    </>
  );
};

const KeepRunning = ({ made, run }: { made: Made; run: GuideRun }) => {
  const { t } = useTranslation('guide');
  const [busy, setBusy] = useState(false);
  const keep = async () => {
    setBusy(true);
    await run.keepRunning().catch(announceFailure);
    setBusy(false);
  };
  if (made.kept) return <p role="status">{t('kept')}</p>;
  return (
    <Button loading={busy} onClick={() => void keep()}>
      {t('keep')}
    </Button>
  );
};

/** Where to go from here; what was made can be kept, left or removed. */
export const GuideEnd = ({ state, made, run }: { state: GuideState; made: Made; run: GuideRun }) => {
  const { t } = useTranslation('guide');
  const { ticks } = state;
  const finished = ticks.command.state === 'done';
  const asFarAsItGoes = finished || ticks.command.state === 'blocked';
  if (Object.values(ticks).some((tick) => tick.state === 'running')) return null;
  return (
    <footer className="dc-guide-end">
      {finished && <h3>{t('endTitle')}</h3>}
      {asFarAsItGoes && made.device && (
        <>
          <Link className="dc-guide-go" to={devicePath(made.device.id)}>
            {t('openDevice')}
          </Link>
          <Link className="dc-guide-go" to={mockPath(made.device.id)} search={{ start: 1 } as never}>
            {t('openPanel')}
          </Link>
          <KeepRunning made={made} run={run} />
        </>
      )}
      <Button title={t('startOverHint')} onClick={() => void run.startOver()}>
        {t('startOver')}
      </Button>
      <RemoveMade made={made} run={run} />
    </footer>
  );
};
