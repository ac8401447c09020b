import { type CommandResult, type CommandState, visibleText } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { absoluteText } from '../../../ui/relative-time.tsx';
import { StatusDot, type Tone } from '../../../ui/status-dot.tsx';
import { explainNumber } from './reason-words.ts';

const tones: Record<CommandState, Tone> = {
  created: 'running',
  sent: 'running',
  answered: 'online',
  failed: 'failed',
  timedOut: 'warning',
};

type CommandOutcomeProps = {
  result: Pick<CommandResult, 'status' | 'code' | 'message'>;
  /** What can be done is of no use beside what is past. */
  past?: boolean;
};

export const CommandOutcome = ({ result, past = false }: CommandOutcomeProps) => {
  const { t } = useTranslation('deviceDetail');
  const { status, code, message } = result;
  const explained = explainNumber(code, message);
  return (
    <div className="dc-outcome">
      <StatusDot tone={tones[status]}>{t(`result_${status}`)}</StatusDot>
      {explained && status === 'failed' && (
        <p>
          {explained.said} <span className="dc-muted">({t('code', { code: String(code) })})</span>
          {!past && explained.remedy !== '' && <span className="dc-muted"> · {explained.remedy}</span>}
        </p>
      )}
    </div>
  );
};

/** What the device said to a command that was sent from here. */
export const CommandAnswer = ({ result, at }: { result: CommandResult; at: string }) => {
  const { t } = useTranslation('deviceDetail');
  const output = visibleText(JSON.stringify(result.output ?? null, null, 2));
  return (
    <section className="dc-answer" role="status">
      <CommandOutcome result={result} />
      {output !== 'null' && output !== '{}' && (
        <div>
          <h4>{t('output')}</h4>
          <pre className="dc-panel">{output}</pre>
        </div>
      )}
      <p className="dc-muted dc-small">
        <span className="dc-time">{absoluteText(at)}</span> · {t('resultTook', { ms: result.costMs })} ·{' '}
        {t('messageId')} {result.messageId}
      </p>
    </section>
  );
};
