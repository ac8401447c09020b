import type { ReactNode } from 'react';
import { ConfirmDelete } from './confirm-delete.tsx';
import { NameList } from './name-list.tsx';

/** Props of every delete dialog. `leaves`: the current page shows the deleted entity; `onDeleted` navigates away. */
export type AskToDelete = { leaves?: boolean; onDeleted: () => void; onClose: () => void };

type DeleteRowsProps = Omit<AskToDelete, 'leaves'> & {
  /** Names of the rows; more than one are listed below the text. */
  names: readonly string[];
  mutedNames?: boolean;
  titles: { one: (name: string) => string; several: (count: number) => string };
  text: ReactNode;
  /** Text that must be typed to enable the button. */
  typed?: string;
  /** A reason why the deletion is not possible, if the loaded rows already show one. */
  blockedReason?: ReactNode;
  /** Deletes all rows or none. */
  remove: () => Promise<unknown>;
};

/** Confirms the deletion of rows. The loaded rows may be outdated, so the hub may still reject it. */
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

/** Lists for each row the dependent entities that prevent its deletion, with links. */
export const Dependents = ({ title, items }: InTheWayProps) => (
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
