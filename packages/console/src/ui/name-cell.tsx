import type { ReactNode } from 'react';
import { CopyId } from './copy-id.tsx';

type NameCellProps = {
  id: string;
  /** Name of the entity, for the accessible name of the copy button. */
  name: string;
  /** The visible name, usually a link. */
  children: ReactNode;
};

export const NameCell = ({ id, name, children }: NameCellProps) => (
  <div className="dc-name-cell">
    {children}
    <CopyId value={id} label={name} />
  </div>
);
