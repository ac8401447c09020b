import type { ReactNode } from 'react';
import { ConfirmDelete } from './confirm-delete.tsx';
import { NameList } from './name-list.tsx';

/** Props of every delete dialog. `leaves`: the current page shows what is deleted, and `onDeleted` navigates away. */
export type AskToDelete = { leaves?: boolean; onDeleted: () => void; onClose: () => void };

type DeleteRowsProps = Omit<AskToDelete, 'leaves'> & {
  /** Of the rows, one or several; several are listed below the text. */
  names: readonly string[];
  mutedNames?: boolean;
  titles: { one: (name: string) => string; several: (count: number) => string };
  text: ReactNode;
  /** What must be typed before the button wakes. */
  typed?: string;
  /** What stands in the way, where the rows at hand tell so beforehand. */
  refusal?: ReactNode;
  /** All of them or none. */
  remove: () => Promise<unknown>;
};

/** Asks before rows are deleted. The rows may be older than the truth, so the hub may still refuse. */
export const DeleteRows = ({
  names,
  mutedNames = false,
  titles,
  text,
  remove,
  onDeleted,
  ...dialog
}: DeleteRowsProps) => {
  const [first = ''] = names;
  const several = names.length > 1;
  return (
    <ConfirmDelete
      open
      title={several ? titles.several(names.length) : titles.one(first)}
      text={
        <>
          {text}
          {several && <NameList names={names} muted={mutedNames} />}
        </>
      }
      onConfirm={async () => {
        await remove();
        onDeleted();
      }}
      {...dialog}
    />
  );
};

type InTheWayProps = { title: string; items: { id: string; name: string; links: ReactNode }[] };

/** What stands in the way of a deletion, row by row, each with the way there. */
export const InTheWay = ({ title, items }: InTheWayProps) => (
  <>
    <p>{title}</p>
    {items.map(({ id, name, links }) => (
      <div key={id} className="dc-linked dc-linked-row">
        <strong>{name}</strong>
        {links}
      </div>
    ))}
  </>
);
