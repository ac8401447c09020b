import type { CommandResult, CommandState, DataType } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { ValueView } from '../../../model/values/value-view.tsx';
import { absoluteText } from '../../../ui/relative-time.tsx';
import { StatusDot, type Tone } from '../../../ui/status-dot.tsx';
import { explainResponseCode } from './reason-texts.ts';

const tones: Record<CommandState, Tone> = {
  created: 'running',
  sent: 'running',
  answered: 'online',
  failed: 'failed',
  timedOut: 'warning',
};

type CommandOutcomeProps = {
  result: Pick<CommandResult, 'status' | 'code' | 'message'>;
  /** Hides the remedy, which is of no use for past commands. */
  past?: boolean;
};

export const CommandOutcome = ({ result, past = false }: CommandOutcomeProps) => {
  const { t } = useTranslation('deviceDetail');
  const { status, code, message } = result;
  const explained = explainResponseCode(code, message);
  return (
    <div className="dc-outcome">
      <StatusDot tone={tones[status]}>{t(`result_${status}`)}</StatusDot>
      {explained && status === 'failed' && (
        <p>
          {explained.text} <span className="dc-muted">({t('code', { code: String(code) })})</span>
          {!past && explained.remedy !== '' && <span className="dc-muted"> · {explained.remedy}</span>}
        </p>
      )}
    </div>
  );
};

/** The response of the device to a command that was sent from this page. */
type CommandAnswerProps = {
  result: CommandResult;
  at: string;
  /** Data type of the output. */
  type: DataType;
};

const isEmpty = (output: unknown): boolean =>
  output === null || output === undefined || (typeof output === 'object' && Object.keys(output).length === 0);

export const CommandAnswer = ({ result, at, type }: CommandAnswerProps) => {
  const { t } = useTranslation('deviceDetail');
  return (
    <section className="dc-answer" role="status">
      <CommandOutcome result={result} />
      {!isEmpty(result.output) && (
        <div>
          <h4>{t('output')}</h4>
          <div className="dc-answer-output">
            <ValueView type={type} value={result.output} />
          </div>
        </div>
      )}
      <p className="dc-muted dc-small">
        <span className="dc-time">{absoluteText(at)}</span> · {t('resultTook', { ms: result.costMs })} ·{' '}
        {t('messageId')} {result.messageId}
      </p>
    </section>
  );
};
