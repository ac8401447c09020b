import { Boxes } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDelete } from '../ui/confirm-delete.tsx';
import { EmptyState } from '../ui/states.tsx';
import '../ui/styles/reading.css';
import { UnsavedGuard } from '../ui/unsaved-guard.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { useExport } from './export-menu.tsx';
import { FileDrop } from './file-drop.tsx';
import { FunctionList } from './function-list.tsx';
import { FunctionPanel, ViewPanel } from './function-panel.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { JsonPane } from './json-pane.tsx';
import { MergeDialog } from './merge-dialog.tsx';
import './model-editor.css';
import type { ModelSource } from './model-source.ts';
import { SaveBar } from './save-bar.tsx';
import { StandardPicker } from './standard-picker.tsx';
import { SystemFunctions } from './system-functions.tsx';
import { AddMenu, Toolbar, type ToolbarActions, type View } from './toolbar.tsx';
import { useDraft } from './use-draft.ts';
import { useRows } from './use-rows.ts';
import { useSave } from './use-save.ts';

type ModelEditorProps = {
  source: ModelSource;
  readOnly?: boolean;
  /** Reason why the model is locked even for users with write permission. */
  locked?: string | undefined;
  onDirtyChange?: (dirty: boolean) => void;
};

const Empty = ({ readOnly, actions }: { readOnly: boolean; actions: ToolbarActions }) => {
  const { t } = useTranslation('model');
  const buttons = (
    <>
      <AddMenu onAdd={actions.add} disabled={false} />
      {actions.pick && <Button onClick={actions.pick}>{t('addStandard')}</Button>}
      <Button onClick={actions.import}>{t('import')}</Button>
    </>
  );
  return (
    <EmptyState
      icon={<Boxes size={22} />}
      title={t('emptyTitle')}
      text={t(readOnly ? 'emptyReadOnly' : 'emptyText')}
      {...(readOnly ? {} : { action: buttons })}
    />
  );
};

/** Edits the functions of a category or product as a whole and saves them in one call. */
export const ModelEditor = ({ source, readOnly: forbidden = false, locked, onDirtyChange }: ModelEditorProps) => {
  const readOnly = forbidden || locked !== undefined;
  const { t } = useTranslation('model');
  const mayPick = useCan('category:list');
  const handle = useDraft(source);
  const { draft, functions, difference, newer, act, edit } = handle;
  const [view, setView] = useState<View>('table');
  const [jsonWrong, setJsonWrong] = useState(false);
  const [leavingJson, setLeavingJson] = useState(false);
  const [picking, setPicking] = useState(false);
  const [importing, setImporting] = useState<{ file?: File } | null>(null);
  const [round, setRound] = useState(0);
  const panelDirty = useRef(false);
  const rows = useRows({ handle, readOnly });
  const exportAs = useExport(source.name, functions);

  const check = (): string | null => {
    if (jsonWrong) return t('saveJsonInvalid');
    if (functions.length > source.max) return t('tooMany', { max: source.max, count: functions.length });
    const wrong = rows.problems.filter((problem) => problem !== '').length;
    if (wrong === 0) return null;
    showTable();
    rows.openProblem(rows.problems.findIndex((problem) => problem !== ''));
    return t('saveInvalid', { count: wrong });
  };
  const showTable = () => {
    setJsonWrong(false);
    setLeavingJson(false);
    setView('table');
  };
  const save = useSave({ source, handle, check, changed: jsonWrong, onRefused: (index) => rows.openProblem(index) });
  const changeView = (next: View) => {
    if (next === 'table' && jsonWrong) setLeavingJson(true);
    else setView(next);
  };

  const dirty = handle.dirty || jsonWrong;
  useEffect(() => onDirtyChange?.(dirty), [dirty, onDirtyChange]);
  const taken = useMemo(() => new Set(functions.map(({ signCode }) => signCode)), [functions]);
  const actions: ToolbarActions = {
    add: (type) => {
      showTable();
      rows.add(type);
    },
    ...(mayPick ? { pick: () => setPicking(true) } : {}),
    import: () => setImporting({}),
    export: exportAs,
    undo: () => act({ do: 'undo' }),
    redo: () => act({ do: 'redo' }),
  };
  return (
    <FileDrop enabled={!readOnly} onFile={(file) => setImporting({ file })}>
      <section className="dc-card dc-fn-editor" aria-label={t('listTitle')}>
        <Toolbar
          functions={functions}
          max={source.max}
          readOnly={readOnly}
          locked={forbidden ? undefined : locked}
          kind={rows.kind}
          onKind={rows.setKind}
          searchText={rows.searchText}
          onSearchText={rows.setSearchText}
          view={view}
          onView={changeView}
          canUndo={draft.past.length > 0}
          canRedo={draft.future.length > 0}
          actions={actions}
        />
        {newer !== null && !save.busy && (
          <p className="dc-note dc-fn-stale" role="status">
            {t('staleNote', { version: newer })}{' '}
            <Button size="small" onClick={() => void save.fetchTheirs()}>
              {t('staleMerge')}
            </Button>
          </p>
        )}
        {view === 'json' && (
          <JsonPane
            key={round}
            functions={functions}
            max={source.max}
            readOnly={readOnly}
            onChange={(read) => edit({ do: 'replaceAll', functions: read })}
            onProblemChange={setJsonWrong}
          />
        )}
        {view === 'table' && functions.length === 0 && <Empty readOnly={readOnly} actions={actions} />}
        {view === 'table' && functions.length > 0 && rows.shown.length === 0 && (
          <p className="dc-muted dc-fn-none">{t('noMatch')}</p>
        )}
        {view === 'table' && rows.shown.length > 0 && (
          <FunctionList rows={rows.shown} readOnly={readOnly} actions={rows.actions} jumpTo={rows.jumpTo} />
        )}
        <p className="dc-visually-hidden" role="status">
          {rows.announcement}
        </p>
      </section>
      {source.preview && <SystemFunctions />}
      {dirty && !readOnly && (
        <SaveBar
          difference={difference}
          busy={save.busy}
          problem={save.problem}
          onSave={() => void save.save()}
          onDiscard={() => {
            act({ do: 'discard' });
            setJsonWrong(false);
            // Invalid text is not part of the draft, so remount the text editor to discard it.
            setRound(round + 1);
          }}
        />
      )}
      <FunctionPanel
        editing={rows.editing}
        onApply={rows.apply}
        onClose={rows.close}
        onDirtyChange={(changed) => {
          panelDirty.current = changed;
        }}
      />
      <ViewPanel fn={rows.viewing} onClose={rows.close} />
      {picking && (
        <StandardPicker
          categoryId={source.categoryId}
          taken={taken}
          onClose={() => setPicking(false)}
          onPick={(picked) => {
            setPicking(false);
            edit({ do: 'add', functions: picked });
            rows.jump(picked[0]?.signCode ?? '');
          }}
        />
      )}
      {importing !== null && (
        <ImportDialog
          file={importing.file}
          present={functions}
          max={source.max}
          onClose={() => setImporting(null)}
          onImport={(read) => {
            setImporting(null);
            edit({ do: 'replaceAll', functions: read });
          }}
        />
      )}
      <ChangeDialog
        open={save.effect !== null}
        title={t('effectTitle')}
        difference={save.effect}
        deviceCount={save.effect?.deviceCount}
        onClose={save.cancel}
        confirm={{
          text: t('saveAnyway'),
          danger: save.effect?.breaking ?? false,
          busy: save.busy,
          onConfirm: () => void save.confirm(),
        }}
      />
      {save.theirs && (
        <MergeDialog
          base={draft.base}
          mine={functions}
          theirs={save.theirs}
          onMerge={save.merged}
          onClose={save.cancelMerge}
        />
      )}
      <ConfirmDelete
        open={leavingJson}
        title={t('jsonLeaveTitle')}
        text={t('jsonLeaveText')}
        okText={t('discard')}
        onClose={() => setLeavingJson(false)}
        onConfirm={async () => showTable()}
      />
      <UnsavedGuard isUnsaved={() => !readOnly && (dirty || panelDirty.current)} />
    </FileDrop>
  );
};
