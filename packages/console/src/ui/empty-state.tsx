import type { ReactNode } from 'react';

type EmptyStateProps = { title: string; text?: ReactNode; icon?: ReactNode; detail?: ReactNode; action?: ReactNode };

/** Explains why a list is empty and offers the next step. */
export const EmptyState = ({ title, text, icon, detail, action }: EmptyStateProps) => (
  <div className="dc-empty">
    {icon !== undefined && (
      <span className="dc-empty-icon" aria-hidden="true">
        {icon}
      </span>
    )}
    <h2>{title}</h2>
    {text !== undefined && <p>{text}</p>}
    {detail}
    {action !== undefined && <div className="dc-empty-action">{action}</div>}
  </div>
);
