import { Check, CircleDashed, LoaderCircle, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { explainFailure } from './failure-texts.ts';
import type { PanelSession, SessionState } from './panel-session.ts';
import { isInProgress, type StepKey, type StepState, stepKeys } from './step-progress.ts';
import { clockText, durationText, useCurrentTime } from './use-current-time.ts';

const icons: Record<StepState['kind'], typeof Check> = {
  idle: CircleDashed,
  working: LoaderCircle,
  done: Check,
  failed: X,
};

const Failed = ({ state }: { state: StepState & { kind: 'failed' } }) => {
  const { code, summary, remedy, detail } = explainFailure(state.failure);
  return (
    <>
      {code !== '' && <code className="dc-mono">{code}</code>}
      <strong>{summary}</strong>
      {remedy !== '' && <span>{remedy}</span>}
      {detail !== '' && <code className="dc-mono">{detail}</code>}
    </>
  );
};

const StepStateText = ({ state }: { state: StepState }) => {
  const { t } = useTranslation('mockPanel');
  const time = 'at' in state && state.at !== null ? clockText(state.at) : '';
  return (
    <p className="dc-step-state">
      {t(state.kind === 'done' && state.at === null ? 'step_held' : `step_${state.kind}`)}
      {time !== '' && <time className="dc-time">{time}</time>}
    </p>
  );
};

type StepCardProps = { name: StepKey; state: StepState; number: number; action?: ReactNode };

const StepCard = ({ name, state, number, action }: StepCardProps) => {
  const { t } = useTranslation('mockPanel');
  const Icon = icons[state.kind];
  return (
    <li className="dc-step" data-state={state.kind}>
      <span className="dc-step-icon">
        <Icon size={16} aria-hidden />
      </span>
      <div className="dc-step-words">
        <h2>
          {number}. {t(`stepName_${name}`)}
        </h2>
        <StepStateText state={state} />
        {state.kind === 'failed' && (
          <div className="dc-step-failure">
            <Failed state={state} />
          </div>
        )}
      </div>
      {action}
    </li>
  );
};

/** Countdown to the next attempt. */
const NextTry = ({ at }: { at: number }) => {
  const { t } = useTranslation('mockPanel');
  const now = useCurrentTime();
  return <span className="dc-number">{t('nextTry', { time: durationText(at - now) })}</span>;
};

type StepButtonProps = { label: string; reason: string; onPress: () => void };

const StepButton = ({ label, reason, onPress }: StepButtonProps) => (
  <Button size="small" needsHub disabled={reason !== ''} title={reason} onClick={onPress}>
    {label}
  </Button>
);

type StepStripProps = { session: PanelSession; state: SessionState };

/** State of the steps login, connect and subscribe, with buttons to repeat them. */
export const StepStrip = ({ session: { mock }, state }: StepStripProps) => {
  const { t } = useTranslation('mockPanel');
  const { running, progress, nextTryAt } = state;
  const reason = running ? (isInProgress(progress) ? t('underWay') : '') : t('notRunning');
  const again = (work: () => Promise<void>) => () => void work().catch(() => undefined);
  const actions: Partial<Record<StepKey, ReactNode>> = {
    login: <StepButton label={t('relogin')} reason={reason} onPress={again(mock.device.relogin)} />,
    connect: <StepButton label={t('reconnect')} reason={reason} onPress={again(mock.device.reconnect)} />,
  };
  return (
    <section className="dc-step-strip" aria-label={t('steps')}>
      <ol>
        {stepKeys.map((name, index) => (
          <StepCard key={name} name={name} state={progress[name]} number={index + 1} action={actions[name]} />
        ))}
      </ol>
      {nextTryAt !== null && (
        <p className="dc-step-next">
          <NextTry at={nextTryAt} />
          <Button size="small" needsHub onClick={again(mock.device.reconnect)}>
            {t('tryNow')}
          </Button>
        </p>
      )}
      <p className="dc-visually-hidden" role="status">
        {stepKeys.map((name) => `${t(`stepName_${name}`)}: ${t(`step_${progress[name].kind}`)}`).join(', ')}
      </p>
    </section>
  );
};
