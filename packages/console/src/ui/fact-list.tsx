import type { ReactNode } from 'react';

export type Fact = { label: string; value: ReactNode };

/** A list of labels and values; the page provides the layout by `className`. */
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
