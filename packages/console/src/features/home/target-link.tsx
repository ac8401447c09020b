import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Target } from './paths.ts';

type TargetLinkProps = { target: Target | undefined; title?: string | undefined; children: ReactNode };

/** A link where there is somewhere to go, else the words alone. */
export const TargetLink = ({ target, title, children }: TargetLinkProps) =>
  target === undefined ? (
    <span title={title}>{children}</span>
  ) : (
    <Link to={target.to} search={target.search as never} title={title}>
      {children}
    </Link>
  );
