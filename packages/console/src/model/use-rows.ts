import type { FunctionWithId, OwnFunctionType } from '@device-center/contract';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DraftEntry } from './draft.ts';
import { type KindFilter, matches } from './function-filter.ts';
import { blankForm, formOf } from './function-form.ts';
import type { Jump, ListedFunction } from './function-list.tsx';
import type { Editing } from './function-panel.tsx';
import { handleId, type RowActions, type RowStatus } from './function-row.tsx';
import { rowProblems } from './problems.ts';
import type { DraftHandle } from './use-draft.ts';

const useListed = ({ draft, functions, difference }: DraftHandle) => {
  const problems = useMemo(() => rowProblems(functions), [functions]);
  const marks = useMemo(
    () =>
      new Map<string, RowStatus>(
        difference.changes.map(({ signCode, kind }) => [signCode, kind === 'removed' ? null : kind]),
      ),
    [difference],
  );
  const listed = useMemo(
    () =>
      draft.entries.map(
        (entry, index): ListedFunction => ({
          entry,
          mark: marks.get(entry.fn.signCode) ?? null,
          problem: problems[index] ?? '',
        }),
      ),
    [draft, marks, problems],
  );
  return { listed, problems };
};

const otherSignCodes = (entries: DraftEntry[], key: string | null): ReadonlySet<string> =>
  new Set(entries.filter((entry) => entry.key !== key).map(({ fn }) => fn.signCode));

/** State of the table: visible rows, row actions, and the function being edited. */
export const useRows = ({ handle, readOnly }: { handle: DraftHandle; readOnly: boolean }) => {
  const { t } = useTranslation('model');
  const { draft, edit } = handle;
  const { listed, problems } = useListed(handle);
  const [kind, setKind] = useState<KindFilter>('all');
  const [searchText, setSearchText] = useState('');
  const [editing, setEditing] = useState<Editing | null>(null);
  const [viewing, setViewing] = useState<FunctionWithId | null>(null);
  const [jumpTo, setJumpTo] = useState<Jump | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const [moved, setMoved] = useState<string | null>(null);
  // Deferred, so that typing stays responsive while the rows update.
  const [deferredKind, deferredSearchText] = [useDeferredValue(kind), useDeferredValue(searchText)];
  const shown = useMemo(
    () => listed.filter(({ entry }) => matches(entry.fn, deferredKind, deferredSearchText)),
    [listed, deferredKind, deferredSearchText],
  );

  // A moved row becomes a new element and loses the focus, so restore it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each move, also if the same row moves again.
  useEffect(() => {
    if (moved !== null) document.getElementById(handleId(moved))?.focus();
  }, [moved, shown]);

  const latest = useRef({ draft, shown, readOnly, t });
  latest.current = { draft, shown, readOnly, t };
  const show = useRef((key: string, showAll = false) => {
    const { draft: now, readOnly: closed } = latest.current;
    const entry = now.entries.find((one) => one.key === key);
    if (!entry) return;
    if (closed) return setViewing(entry.fn);
    setEditing({ key, form: formOf(entry.fn), taken: otherSignCodes(now.entries, key), showAll });
  });

  const actions = useMemo((): RowActions => {
    const announceMove = (key: string, position: number) => {
      const { shown: rows, t: translate } = latest.current;
      const name = rows.find(({ entry }) => entry.key === key)?.entry.fn.functionName ?? '';
      setAnnouncement(translate('moved', { name, position: position + 1, count: rows.length }));
    };
    return {
      open: (key) => show.current(key),
      duplicate: (key) => edit({ do: 'duplicate', key }),
      remove: (key) => {
        const removed = latest.current.draft.entries.find((entry) => entry.key === key);
        setAnnouncement(latest.current.t('removed', { name: removed?.fn.functionName ?? '' }));
        edit({ do: 'remove', key });
      },
      shift: (key, by) => {
        const { shown: rows } = latest.current;
        const index = rows.findIndex(({ entry }) => entry.key === key);
        const target = rows[index + by];
        if (index < 0 || !target) return;
        edit({ do: 'move', key, target: target.entry.key, side: by < 0 ? 'before' : 'after' });
        setMoved(key);
        announceMove(key, index + by);
      },
      drop: (key, target, side) => {
        setMoved(null);
        edit({ do: 'move', key, target, side });
      },
    };
  }, [edit]);

  const close = () => {
    setEditing(null);
    setViewing(null);
  };
  const jump = (signCode: string) => {
    setMoved(null);
    setKind('all');
    setSearchText('');
    setJumpTo({ signCode });
  };
  return {
    shown,
    problems,
    actions,
    kind,
    setKind,
    searchText,
    setSearchText,
    editing,
    viewing,
    jumpTo,
    jump,
    announcement,
    close,
    add: (type: OwnFunctionType) =>
      setEditing({ key: null, form: blankForm(type), taken: otherSignCodes(draft.entries, null) }),
    /** Opens the function at an index of the whole model with all its problems. */
    openProblem: (index: number) => {
      const entry = draft.entries[index];
      if (!entry) return;
      jump(entry.fn.signCode);
      show.current(entry.key, true);
    },
    apply: (fn: FunctionWithId, key: string | null) => {
      close();
      if (draft.entries.some((entry) => entry.key === key) && key !== null) return edit({ do: 'change', key, fn });
      // A new function, or one that another user deleted meanwhile: add it without an id.
      edit({ do: 'add', functions: [{ ...fn, id: undefined }] });
      jump(fn.signCode);
    },
  };
};
