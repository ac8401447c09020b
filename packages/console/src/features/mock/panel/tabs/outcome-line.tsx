import { StatusDot, type Tone } from '../../../../ui/status-dot.tsx';
import type { Outcome } from './use-send-message.ts';

const tones: Record<Outcome['state'], Tone> = { sending: 'running', done: 'online', failed: 'failed' };

type OutcomeLineProps = { outcome: Outcome | null; blockedReason?: string };

/** Result of the last send; before the first, the reason why sending is not possible. */
export const OutcomeLine = ({ outcome, blockedReason = '' }: OutcomeLineProps) => (
  <div className="dc-say-outcome" role="status">
    {outcome && <StatusDot tone={tones[outcome.state]}>{outcome.text}</StatusDot>}
    {!outcome && blockedReason !== '' && <span className="dc-muted">{blockedReason}</span>}
  </div>
);
