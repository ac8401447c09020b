import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Target } from './paths.ts';

type TargetLinkProps = { target: Target | undefined; title?: string | undefined; children: ReactNode };

/** A link if there is a target, else plain text. */
export const TargetLink = ({ target, title, children }: TargetLinkProps) =>
  target === undefined ? (
    <span title={title}>{children}</span>
  ) : (
    <Link to={target.to} search={target.search as never} title={title}>
      {children}
    </Link>
  );
