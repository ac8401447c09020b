import type { ReactNode } from 'react';
import { CopyId } from './copy-id.tsx';

type NameCellProps = {
  id: string;
  /** What the id belongs to, for those who cannot see it. */
  name: string;
  /** The name as it stands in the cell: a link where it leads somewhere. */
  children: ReactNode;
};

export const NameCell = ({ id, name, children }: NameCellProps) => (
  <div className="dc-name-cell">
    {children}
    <CopyId value={id} label={name} />
  </div>
);
