import { type NodeTest, zoneCalls } from '@device-center/contract';
import { Check, PlugZap, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Sendable, SendOptions } from '../../api/send.ts';
import { useCallMutation } from '../../api/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';

const Result = ({ test: { ok, steps, message, costMs } }: { test: NodeTest }) => {
  const { t } = useTranslation('zone');
  return (
    <div className="dc-node-test" data-ok={ok === 1}>
      <StatusDot tone={ok === 1 ? 'online' : 'failed'}>
        {ok === 1 ? t('testOk', { ms: costMs }) : message || t('testFailed')}
      </StatusDot>
      {steps.length > 0 && (
        <ol aria-label={t('testSteps')}>
          {steps.map(({ step, ok: done, ms, note }) => (
            <li key={step} data-ok={done === 1}>
              {done === 1 ? <Check size={14} aria-hidden /> : <X size={14} aria-hidden />}
              <span>
                {t(`step_${step}`)}
                <span className="dc-visually-hidden"> {t(done === 1 ? 'stepDone' : 'stepFailed')}</span>
              </span>
              <span className="dc-muted dc-number">{t('ms', { ms })}</span>
              {/* The note of the last step repeats the message above. */}
              {note !== '' && note !== message && <span className="dc-muted">{note}</span>}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
};

export type TestedNode = Sendable<typeof zoneCalls.testZoneNode> & Pick<SendOptions, 'files'>;

type NodeTestButtonProps = {
  /** Number of the node, from 1. */
  number: number;
  /** Returns the node to test when the button is pressed; undefined if it is not valid yet. */
  node: () => TestedNode | undefined | Promise<TestedNode | undefined>;
  disabled?: boolean;
};

/** Makes the hub test the connection to a node, and shows the steps. */
export const NodeTestButton = ({ number, node, disabled = false }: NodeTestButtonProps) => {
  const { t } = useTranslation('zone');
  const test = useCallMutation(zoneCalls.testZoneNode);
  const run = async () => {
    const tested = await node();
    if (tested) test.mutate(tested);
  };
  return (
    <div className="dc-node-tester">
      <Button
        size="small"
        icon={<PlugZap size={14} aria-hidden />}
        aria-label={t('testOf', { number })}
        loading={test.isPending}
        disabled={disabled}
        onClick={() => void run()}
      >
        {t('test')}
      </Button>
      <div role="status">
        {test.data && !test.isPending && <Result test={test.data} />}
        {test.error && !test.isPending && <StatusDot tone="failed">{test.error.message}</StatusDot>}
      </div>
    </div>
  );
};
