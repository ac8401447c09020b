import type { ReactNode } from 'react';

export type Tone = 'online' | 'running' | 'warning' | 'failed' | 'offline' | 'unknown';

/** A state as a coloured dot and a text, because colour alone is not accessible. */
export const StatusDot = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={`dc-status dc-status-${tone}`}>
    <i aria-hidden="true" />
    {children}
  </span>
);
