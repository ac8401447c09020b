import { FunctionType, type FunctionWithId, type OwnFunctionType } from '@device-center/contract';
import { Dropdown, Input, type MenuProps, Segmented } from 'antd';
import { Ellipsis, FileInput, LibraryBig, Plus, Redo2, Search, Undo2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { useMobile } from '../ui/media.ts';
import { ExportMenu } from './export-menu.tsx';
import { type KindFilter, kindOptions } from './function-filter.ts';

export type View = 'table' | 'json';

export type ToolbarActions = {
  add: (type: OwnFunctionType) => void;
  /** Omitted if the user may not list categories. */
  pick?: () => void;
  import: () => void;
  export: (format: 'json' | 'tsl') => void;
  undo: () => void;
  redo: () => void;
};

type ToolbarProps = {
  functions: FunctionWithId[];
  max: number;
  readOnly: boolean;
  /** Reason why the model is locked: the buttons stay visible, disabled, with this reason. */
  locked: string | undefined;
  kind: KindFilter;
  onKind: (kind: KindFilter) => void;
  searchText: string;
  onSearchText: (searchText: string) => void;
  view: View;
  onView: (view: View) => void;
  canUndo: boolean;
  canRedo: boolean;
  actions: ToolbarActions;
};

type AddMenuProps = { onAdd: (type: OwnFunctionType) => void; disabled: boolean; title?: string | undefined };

export const AddMenu = ({ onAdd, disabled, title }: AddMenuProps) => {
  const { t } = useTranslation('model');
  return (
    <Dropdown
      trigger={['click']}
      disabled={disabled}
      menu={{
        items: [
          { key: 'property', label: t('addProperty'), onClick: () => onAdd(FunctionType.property) },
          { key: 'service', label: t('addService'), onClick: () => onAdd(FunctionType.service) },
          { key: 'event', label: t('addEvent'), onClick: () => onAdd(FunctionType.event) },
        ],
      }}
    >
      <Button type="primary" needsHub={false} title={title} icon={<Plus size={15} aria-hidden />}>
        {t('add')}
      </Button>
    </Dropdown>
  );
};

const Filters = ({ functions, kind, onKind, searchText, onSearchText }: ToolbarProps) => {
  const { t } = useTranslation('model');
  const count = (type: OwnFunctionType) => functions.filter(({ functionType }) => functionType === type).length;
  return (
    <>
      <Segmented
        aria-label={t('typeFilter')}
        options={kindOptions(count, functions.length)}
        value={kind}
        onChange={onKind}
      />
      <Input
        allowClear
        className="dc-fn-search"
        prefix={<Search size={14} aria-hidden />}
        aria-label={t('search')}
        placeholder={t('search')}
        value={searchText}
        onChange={({ target }) => onSearchText(target.value)}
      />
    </>
  );
};

const UndoButtons = ({ canUndo, canRedo, actions }: ToolbarProps) => {
  const { t } = useTranslation('model');
  return (
    <>
      <Button
        type="text"
        aria-label={t('undo')}
        title={t('undo')}
        disabled={!canUndo}
        icon={<Undo2 size={16} aria-hidden />}
        onClick={actions.undo}
      />
      <Button
        type="text"
        aria-label={t('redo')}
        title={t('redo')}
        disabled={!canRedo}
        icon={<Redo2 size={16} aria-hidden />}
        onClick={actions.redo}
      />
    </>
  );
};

/** On a phone, one menu contains all actions except "add". */
const MoreMenu = ({ readOnly, locked, actions, functions }: ToolbarProps) => {
  const { t } = useTranslation(['model', 'common']);
  const empty = functions.length === 0;
  const hidden = readOnly && locked === undefined;
  const lock = locked === undefined ? {} : { disabled: true, title: locked };
  const items: MenuProps['items'] = [
    ...(hidden || !actions.pick
      ? []
      : [{ key: 'pick', label: t('model:addStandard'), ...lock, onClick: actions.pick }]),
    ...(hidden ? [] : [{ key: 'import', label: t('model:import'), ...lock, onClick: actions.import }]),
    { key: 'json', label: t('model:exportJson'), disabled: empty, onClick: () => actions.export('json') },
    { key: 'tsl', label: t('model:exportTsl'), disabled: empty, onClick: () => actions.export('tsl') },
  ];
  return (
    <Dropdown trigger={['click']} menu={{ items }}>
      <Button aria-label={t('common:more')} icon={<Ellipsis size={16} aria-hidden />} />
    </Dropdown>
  );
};

const Buttons = (props: ToolbarProps) => {
  const { readOnly, locked, actions, functions, max, view, canUndo, canRedo } = props;
  const { t } = useTranslation('model');
  const mobile = useMobile();
  const full = functions.length >= max;
  const hidden = readOnly && locked === undefined;
  const undo = !readOnly && (canUndo || canRedo || functions.length > 0) && <UndoButtons {...props} />;
  // The empty state of the table has its own buttons.
  if (functions.length === 0 && view === 'table') return undo;
  return (
    <>
      {undo}
      {mobile ? (
        <MoreMenu {...props} />
      ) : (
        <>
          <ExportMenu onExport={actions.export} disabled={functions.length === 0} />
          {!hidden && (
            <Button
              title={locked ?? t('import')}
              icon={<FileInput size={15} aria-hidden />}
              disabled={readOnly}
              onClick={actions.import}
            >
              {t('import')}
            </Button>
          )}
          {!hidden && actions.pick && (
            <Button
              title={locked ?? t('addStandard')}
              icon={<LibraryBig size={15} aria-hidden />}
              disabled={full || readOnly}
              onClick={actions.pick}
            >
              {t('addStandard')}
            </Button>
          )}
        </>
      )}
      {!hidden && <AddMenu onAdd={actions.add} disabled={full || readOnly} title={locked} />}
    </>
  );
};

/** Filters, view switch and actions of the editor. */
export const Toolbar = (props: ToolbarProps) => {
  const { t } = useTranslation('model');
  const { functions, max, view, onView } = props;
  return (
    <div className="dc-fn-toolbar">
      <div className="dc-fn-tools">
        <h2>{t('listTitle')}</h2>
        <span className="dc-muted dc-number" role="status">
          {t('limit', { count: functions.length, max })}
        </span>
        <span className="dc-fn-buttons">
          <Buttons {...props} />
        </span>
      </div>
      <div className="dc-fn-tools">
        {view === 'table' && functions.length > 0 && <Filters {...props} />}
        <Segmented
          className="dc-fn-views"
          aria-label={t('viewSwitch')}
          options={[
            { value: 'table', label: t('tableView') },
            { value: 'json', label: t('jsonView') },
          ]}
          value={view}
          onChange={onView}
        />
      </div>
    </div>
  );
};
