import { ArrowDown, ArrowUp, Copy, type LucideIcon, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';

type ToolProps = { label: string; icon: LucideIcon; disabled?: boolean; onClick: () => void };

/** A native button, because a list of fifty parameters has two hundred of them. */
const Tool = ({ label, icon: Icon, disabled = false, onClick }: ToolProps) => (
  <button type="button" aria-label={label} title={label} disabled={disabled} onClick={onClick}>
    <Icon size={14} aria-hidden />
  </button>
);

type EntryToolsProps = {
  /** Name of the entry in the accessible names of the buttons. */
  entry: string;
  index: number;
  last: boolean;
  onMove: (to: number) => void;
  onDuplicate?: () => void;
  onRemove: () => void;
};

/** Move, duplicate and remove buttons of an entry in a list of parameters, fields or enum items. */
export const EntryTools = ({ entry, index, last, onMove, onDuplicate, onRemove }: EntryToolsProps) => {
  const { t } = useTranslation('model');
  return (
    <span className="dc-entry-tools">
      <Tool
        label={t('moveUpEntry', { entry })}
        icon={ArrowUp}
        disabled={index === 0}
        onClick={() => onMove(index - 1)}
      />
      <Tool label={t('moveDownEntry', { entry })} icon={ArrowDown} disabled={last} onClick={() => onMove(index + 1)} />
      {onDuplicate && <Tool label={t('duplicateEntry', { entry })} icon={Copy} onClick={onDuplicate} />}
      <Tool label={t('removeEntry', { entry })} icon={Trash2} onClick={onRemove} />
    </span>
  );
};

/** The list with one entry moved to another position. */
export const movedEntry = <Entry,>(list: readonly Entry[], from: number, to: number): Entry[] => {
  const moving = list[from];
  return moving === undefined || to < 0 || to >= list.length
    ? [...list]
    : list.toSpliced(from, 1).toSpliced(to, 0, moving);
};
