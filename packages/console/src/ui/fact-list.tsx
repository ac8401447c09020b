import type { ReactNode } from 'react';

export type Fact = { label: string; value: ReactNode };

/** Labels and values; how they stand is for the page to say. */
export const FactList = ({ facts, className }: { facts: Fact[]; className?: string }) => (
  <dl className={className}>
    {facts.map(({ label, value }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
