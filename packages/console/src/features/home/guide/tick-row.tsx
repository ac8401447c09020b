import { Link } from '@tanstack/react-router';
import { Circle, CircleAlert, CircleCheck, CircleDot, LoaderCircle, Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { CopyId } from '../../../ui/copy-id.tsx';
import type { Tick } from './guide-state.ts';
import { menuWords, type StepId } from './step-permissions.ts';

const icons = {
  waiting: Circle,
  running: LoaderCircle,
  ready: CircleDot,
  done: CircleCheck,
  failed: CircleAlert,
  blocked: Lock,
} as const;

export type ByHand = { to: string; search?: Record<string, unknown> };

const Failure = ({
  tick,
  byHand,
  onRetry,
}: {
  tick: Tick & { state: 'failed' };
  byHand: ByHand;
  onRetry: () => void;
}) => {
  const { t } = useTranslation(['guide', 'common']);
  return (
    <div className="dc-guide-failure" role="alert">
      <p>{tick.reason}</p>
      {tick.requestId !== undefined && (
        <p className="dc-muted">
          {t('common:requestId')} <CopyId value={tick.requestId} label={t('common:requestId')} />
        </p>
      )}
      <div>
        <Button size="small" onClick={onRetry}>
          {t('common:retry')}
        </Button>
        <Link className="dc-guide-link" to={byHand.to} search={(byHand.search ?? {}) as never}>
          {t('guide:byHand')}
        </Link>
      </div>
    </div>
  );
};

type TickRowProps = {
  id: StepId;
  tick: Tick;
  /** What it is made of, while it runs and after. */
  parts?: ReactNode;
  /** What came of it. */
  result?: ReactNode;
  byHand: ByHand;
  onRetry: () => void;
};

/** One step: how it stands, what it is for, and what came of it. */
export const TickRow = ({ id, tick, parts, result, byHand, onRetry }: TickRowProps) => {
  const { t } = useTranslation('guide');
  const Icon = icons[tick.state];
  return (
    <li className="dc-guide-step" data-state={tick.state} aria-current={tick.state === 'running' ? 'step' : undefined}>
      <Icon size={18} aria-hidden />
      <div>
        <h3>
          {t(id)}
          <span className="dc-visually-hidden">: {t(tick.state)}</span>
        </h3>
        <p className="dc-muted">{t(`${id}Text`)}</p>
        {parts}
        {result}
        {tick.state === 'failed' && <Failure tick={tick} byHand={byHand} onRetry={onRetry} />}
        {tick.state === 'blocked' && (
          <div className="dc-guide-failure">
            {tick.reason !== '' && <p>{tick.reason}</p>}
            <p>
              {t('missingTitle')} {menuWords(tick.menuId)}
            </p>
          </div>
        )}
      </div>
    </li>
  );
};
