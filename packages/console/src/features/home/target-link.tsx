import type { ReactNode } from 'react';

import { Link, type PageTarget } from '../../ui/routing.ts';

type TargetLinkProps = { target: PageTarget | undefined; title?: string | undefined; children: ReactNode };

/** A link if there is a target, else plain text. */
export const TargetLink = ({ target, title, children }: TargetLinkProps) =>
  target === undefined ? (
    <span title={title}>{children}</span>
  ) : (
    <Link {...target} title={title}>
      {children}
    </Link>
  );
