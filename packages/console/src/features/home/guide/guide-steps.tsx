import { Check, Minus, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { devicePath, mockFormPath, mockPath, productFormPath, productPath } from '../../../paths.ts';
import { Link, type PageTarget, pageTarget } from '../../../ui/routing.ts';
import type { GuideRun } from './guide-run.ts';
import type { ConnectionStepState, GuideState } from './guide-state.ts';
import { connectionSteps } from './mock-session.ts';
import type { GuideResources } from './resources.ts';
import { type StepId, stepIds } from './step-permissions.ts';
import { StepRow } from './step-row.tsx';
import { templates } from './templates.ts';

const stepNames = { login: 'linkLogin', connect: 'linkConnect', subscribe: 'linkSubscribe' } as const;
const stepIcons = { waiting: Minus, done: Check, failed: X } as const;

const ConnectionStepItem = ({ name, state }: { name: string; state: ConnectionStepState }) => {
  const { t } = useTranslation('guide');
  const Icon = stepIcons[state];
  return (
    <li data-mark={state}>
      <Icon size={14} aria-hidden />
      {name}
      <span className="dc-visually-hidden">: {t(state)}</span>
    </li>
  );
};

/** Progress of login, connect and subscribe, and of a gateway's children. */
const ConnectionProgress = ({ state: { connection, childrenOnline, childrenTotal } }: { state: GuideState }) => {
  const { t } = useTranslation('guide');
  return (
    <ul className="dc-guide-parts">
      {connectionSteps.map((step) => (
        <ConnectionStepItem key={step} name={t(stepNames[step])} state={connection[step]} />
      ))}
      {childrenTotal > 0 && (
        <ConnectionStepItem
          name={t('linkChildren', { online: childrenOnline, total: childrenTotal })}
          state={childrenOnline === childrenTotal ? 'done' : 'waiting'}
        />
      )}
    </ul>
  );
};

const ProductResult = ({ resources: { product, child, application, template } }: { resources: GuideResources }) => {
  const { t } = useTranslation('guide');
  if (!product) return null;
  const count = templates[template].product.functions().length;
  return (
    <p className="dc-guide-result">
      <Link to={productPath(product.id)}>{product.name}</Link>
      <span>{t('functionCount', { count })}</span>
      {child && <Link to={productPath(child.id)}>{t('childProduct', { name: child.name })}</Link>}
      {application && (
        <span>{t(application.own ? 'createdApplication' : 'inApplication', { name: application.name })}</span>
      )}
    </p>
  );
};

const CommandResult = ({ state: { statuses, resources } }: { state: GuideState }) => {
  const { t } = useTranslation('guide');
  const answer = resources?.answer;
  if (!answer || statuses.command.state !== 'done') return null;
  return (
    <p className="dc-guide-result" role="status">
      {t('answered', { ms: answer.costMs, name: answer.name, value: answer.value })}
    </p>
  );
};

const manualLinkOf = (id: StepId, { product, device }: GuideResources): PageTarget => {
  if (id === 'product') return product ? pageTarget(productPath(product.id), {}) : pageTarget(productFormPath, {});
  if (id === 'mock' || !device) return pageTarget(mockFormPath, product ? { productId: product.id } : {});
  if (id === 'command') return pageTarget(devicePath(device.id), { tab: 'functions' });
  return pageTarget(mockPath(device.id), { start: 1 });
};

export const GuideSteps = ({
  state,
  resources,
  run,
}: {
  state: GuideState;
  resources: GuideResources;
  run: GuideRun;
}) => {
  const { t } = useTranslation('guide');
  const { statuses, preview } = state;
  const current = stepIds.find((id) => statuses[id].state !== 'done') ?? 'command';
  const row = (id: StepId) => ({
    id,
    status: statuses[id],
    manualLink: manualLinkOf(id, resources),
    onRetry: id === 'command' ? () => void run.sendCommand() : run.retry,
  });
  return (
    <>
      <p className="dc-visually-hidden" role="status">
        {t('stepState', {
          place: stepIds.indexOf(current) + 1,
          total: stepIds.length,
          name: t(current),
          state: t(statuses[current].state),
        })}
      </p>
      <ol className="dc-guide-steps" aria-label={t('stepsLabel')}>
        <StepRow {...row('product')} result={<ProductResult resources={resources} />} />
        <StepRow
          {...row('mock')}
          result={
            resources.device && (
              <p className="dc-guide-result">
                <Link to={devicePath(resources.device.id)}>{resources.device.name}</Link>
              </p>
            )
          }
        />
        <StepRow
          {...row('online')}
          parts={statuses.online.state !== 'waiting' && <ConnectionProgress state={state} />}
        />
        <StepRow
          {...row('value')}
          result={
            preview &&
            statuses.value.state === 'done' && (
              <p className="dc-guide-result">
                <span className="dc-number">
                  {preview.measured.name} {preview.measured.text}
                </span>
                <span>{t('stored')}</span>
              </p>
            )
          }
        />
        <StepRow {...row('command')} result={<CommandResult state={state} />} />
      </ol>
    </>
  );
};
