import type { ReactNode } from 'react';

export type Tone = 'online' | 'running' | 'warning' | 'failed' | 'offline' | 'unknown';

/** State is a dot and a word: colour alone says nothing to some. */
export const StatusDot = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={`dc-status dc-status-${tone}`}>
    <i aria-hidden="true" />
    {children}
  </span>
);
