import { Link } from '@tanstack/react-router';
import { Check, Minus, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { devicePath, mockFormPath, mockPath, productFormPath, productPath } from '../../../paths.ts';
import type { GuideRun } from './guide-run.ts';
import type { GuideState, LinkMark } from './guide-state.ts';
import { linkSteps } from './mock-session.ts';
import type { Made } from './resources.ts';
import { type StepId, stepIds } from './step-permissions.ts';
import { templates } from './templates.ts';
import { type ByHand, TickRow } from './tick-row.tsx';

const linkNames = { login: 'linkLogin', connect: 'linkConnect', subscribe: 'linkSubscribe' } as const;
const linkIcons = { waiting: Minus, done: Check, failed: X } as const;

const LinkPart = ({ name, mark }: { name: string; mark: LinkMark }) => {
  const { t } = useTranslation('guide');
  const Icon = linkIcons[mark];
  return (
    <li data-mark={mark}>
      <Icon size={14} aria-hidden />
      {name}
      <span className="dc-visually-hidden">: {t(mark)}</span>
    </li>
  );
};

/** Log in, connect, subscribe; and a gateway's children. */
const LinkParts = ({ state: { link, childrenOnline, childrenTotal } }: { state: GuideState }) => {
  const { t } = useTranslation('guide');
  return (
    <ul className="dc-guide-parts">
      {linkSteps.map((step) => (
        <LinkPart key={step} name={t(linkNames[step])} mark={link[step]} />
      ))}
      {childrenTotal > 0 && (
        <LinkPart
          name={t('linkChildren', { online: childrenOnline, total: childrenTotal })}
          mark={childrenOnline === childrenTotal ? 'done' : 'waiting'}
        />
      )}
    </ul>
  );
};

const ProductResult = ({ made: { product, child, application, template } }: { made: Made }) => {
  const { t } = useTranslation('guide');
  if (!product) return null;
  const count = templates[template].product.functions().length;
  return (
    <p className="dc-guide-result">
      <Link to={productPath(product.id)}>{product.name}</Link>
      <span>{t('functionCount', { count })}</span>
      {child && <Link to={productPath(child.id)}>{t('childProduct', { name: child.name })}</Link>}
      {application && (
        <span>{t(application.own ? 'madeApplication' : 'inApplication', { name: application.name })}</span>
      )}
    </p>
  );
};

const CommandResult = ({ state: { ticks, made } }: { state: GuideState }) => {
  const { t } = useTranslation('guide');
  const answer = made?.answer;
  if (!answer || ticks.command.state !== 'done') return null;
  return (
    <p className="dc-guide-result" role="status">
      {t('answered', { ms: answer.costMs, name: answer.name, value: answer.value })}
    </p>
  );
};

const byHandOf = (id: StepId, { product, device }: Made): ByHand => {
  if (id === 'product') return product ? { to: productPath(product.id) } : { to: productFormPath };
  if (id === 'mock' || !device) return { to: mockFormPath, ...(product ? { search: { productId: product.id } } : {}) };
  if (id === 'command') return { to: devicePath(device.id), search: { tab: 'functions' } };
  return { to: mockPath(device.id), search: { start: 1 } };
};

export const GuideSteps = ({ state, made, run }: { state: GuideState; made: Made; run: GuideRun }) => {
  const { t } = useTranslation('guide');
  const { ticks, face } = state;
  const current = stepIds.find((id) => ticks[id].state !== 'done') ?? 'command';
  const row = (id: StepId) => ({
    id,
    tick: ticks[id],
    byHand: byHandOf(id, made),
    onRetry: id === 'command' ? () => void run.sendCommand() : run.retry,
  });
  return (
    <>
      <p className="dc-visually-hidden" role="status">
        {t('stepState', {
          place: stepIds.indexOf(current) + 1,
          total: stepIds.length,
          name: t(current),
          state: t(ticks[current].state),
        })}
      </p>
      <ol className="dc-guide-steps" aria-label={t('stepsLabel')}>
        <TickRow {...row('product')} result={<ProductResult made={made} />} />
        <TickRow
          {...row('mock')}
          result={
            made.device && (
              <p className="dc-guide-result">
                <Link to={devicePath(made.device.id)}>{made.device.name}</Link>
              </p>
            )
          }
        />
        <TickRow {...row('online')} parts={ticks.online.state !== 'waiting' && <LinkParts state={state} />} />
        <TickRow
          {...row('value')}
          result={
            face &&
            ticks.value.state === 'done' && (
              <p className="dc-guide-result">
                <span className="dc-number">
                  {face.measured.name} {face.measured.text}
                </span>
                <span>{t('stored')}</span>
              </p>
            )
          }
        />
        <TickRow {...row('command')} result={<CommandResult state={state} />} />
      </ol>
    </>
  );
};
