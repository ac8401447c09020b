import { StatusDot, type Tone } from '../../../../ui/status-dot.tsx';
import type { Outcome } from './use-send-message.ts';

const tones: Record<Outcome['state'], Tone> = { sending: 'running', done: 'online', failed: 'failed' };

type OutcomeLineProps = { outcome: Outcome | null; unable?: string };

/** Result of the last send; before the first, the reason why sending is not possible. */
export const OutcomeLine = ({ outcome, unable = '' }: OutcomeLineProps) => (
  <div className="dc-say-outcome" role="status">
    {outcome && <StatusDot tone={tones[outcome.state]}>{outcome.text}</StatusDot>}
    {!outcome && unable !== '' && <span className="dc-muted">{unable}</span>}
  </div>
);
