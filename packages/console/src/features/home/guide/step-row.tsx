import { Circle, CircleAlert, CircleCheck, CircleDot, LoaderCircle, Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { CopyId } from '../../../ui/copy-id.tsx';
import { Link, type PageTarget } from '../../../ui/routing.ts';
import type { StepStatus } from './guide-state.ts';
import { menuText, type StepId } from './step-permissions.ts';

const icons = {
  waiting: Circle,
  running: LoaderCircle,
  ready: CircleDot,
  done: CircleCheck,
  failed: CircleAlert,
  blocked: Lock,
} as const;

const Failure = ({
  status,
  manualLink,
  onRetry,
}: {
  status: StepStatus & { state: 'failed' };
  manualLink: PageTarget;
  onRetry: () => void;
}) => {
  const { t } = useTranslation(['guide', 'common']);
  return (
    <div className="dc-guide-failure" role="alert">
      <p>{status.reason}</p>
      {status.requestId !== undefined && (
        <p className="dc-muted">
          {t('common:requestId')} <CopyId value={status.requestId} label={t('common:requestId')} />
        </p>
      )}
      <div>
        <Button size="small" onClick={onRetry}>
          {t('common:retry')}
        </Button>
        <Link className="dc-guide-link" {...manualLink}>
          {t('guide:byHand')}
        </Link>
      </div>
    </div>
  );
};

type StepRowProps = {
  id: StepId;
  status: StepStatus;
  /** Details of the step, while it runs and afterwards. */
  parts?: ReactNode;
  /** The result of the step. */
  result?: ReactNode;
  manualLink: PageTarget;
  onRetry: () => void;
};

/** One step of the guide: its status, description and result. */
export const StepRow = ({ id, status, parts, result, manualLink, onRetry }: StepRowProps) => {
  const { t } = useTranslation('guide');
  const Icon = icons[status.state];
  return (
    <li
      className="dc-guide-step"
      data-state={status.state}
      aria-current={status.state === 'running' ? 'step' : undefined}
    >
      <Icon size={18} aria-hidden />
      <div>
        <h3>
          {t(id)}
          <span className="dc-visually-hidden">: {t(status.state)}</span>
        </h3>
        <p className="dc-muted">{t(`${id}Text`)}</p>
        {parts}
        {result}
        {status.state === 'failed' && <Failure status={status} manualLink={manualLink} onRetry={onRetry} />}
        {status.state === 'blocked' && (
          <div className="dc-guide-failure">
            {status.reason !== '' && <p>{status.reason}</p>}
            <p>
              {t('missingTitle')} {menuText(status.menuId)}
            </p>
          </div>
        )}
      </div>
    </li>
  );
};
