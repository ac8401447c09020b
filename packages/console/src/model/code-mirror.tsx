import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { forceLinting, linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import type { FieldError } from '@device-center/contract';
import { tags } from '@lezer/highlight';
import i18next from 'i18next';
import { useEffect, useRef } from 'react';
import { useScheme } from '../ui/media.ts';
import { readNonce } from '../ui/nonce.ts';
import type { JsonEditorProps } from './json-editor.tsx';
import { spanOf } from './json-path.ts';

// The colours are CSS variables of the page, so that they follow the theme.
const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--link)' },
  { tag: tags.string, color: 'var(--online)' },
  { tag: tags.number, color: 'var(--warning)' },
  { tag: [tags.bool, tags.null], color: 'var(--running)' },
  { tag: [tags.punctuation, tags.separator, tags.brace, tags.squareBracket], color: 'var(--ink-2)' },
]);

const editorTheme = (dark: boolean): Extension =>
  EditorView.theme(
    {
      '&': { height: '100%', backgroundColor: 'var(--card)', color: 'var(--ink)', fontSize: '12px' },
      '&.cm-focused': { outline: 'none' },
      '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.7' },
      '.cm-content': { caretColor: 'var(--ink)' },
      '.cm-gutters': { backgroundColor: 'var(--sheet)', color: 'var(--ink-2)', borderColor: 'var(--line)' },
      '.cm-cursor': { borderLeftColor: 'var(--ink)' },
      '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--brand) 7%, transparent)' },
      '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
        backgroundColor: 'color-mix(in srgb, var(--brand) 28%, transparent)',
      },
      '.cm-panels': { backgroundColor: 'var(--sheet)', color: 'var(--ink)', borderColor: 'var(--line)' },
      '.cm-panel.cm-search': { padding: '8px 28px 8px 10px', fontSize: '13px' },
      '.cm-textfield': {
        padding: '3px 8px',
        backgroundColor: 'var(--card)',
        borderColor: 'var(--control-line)',
        borderRadius: '6px',
        fontSize: '13px',
      },
      '.cm-button': {
        backgroundImage: 'none',
        backgroundColor: 'var(--card)',
        borderColor: 'var(--control-line)',
        borderRadius: '6px',
        padding: '3px 10px',
        color: 'var(--ink)',
        fontSize: '13px',
      },
      '.cm-tooltip': { backgroundColor: 'var(--card)', borderColor: 'var(--line)', color: 'var(--ink)' },
      '.cm-foldPlaceholder': {
        backgroundColor: 'var(--sheet)',
        borderColor: 'var(--line)',
        color: 'var(--ink-2)',
        padding: '0 4px',
      },
    },
    { dark },
  );

const phrases = (): Extension =>
  EditorState.phrases.of({
    Find: i18next.t('model:cmFind'),
    Replace: i18next.t('model:cmReplace'),
    next: i18next.t('model:cmNext'),
    previous: i18next.t('model:cmPrevious'),
    all: i18next.t('model:cmAll'),
    'match case': i18next.t('model:cmMatchCase'),
    regexp: i18next.t('model:cmRegexp'),
    'by word': i18next.t('model:cmByWord'),
    replace: i18next.t('model:cmReplace'),
    'replace all': i18next.t('model:cmReplaceAll'),
    'Fold line': i18next.t('model:cmFold'),
    'Unfold line': i18next.t('model:cmUnfold'),
    close: i18next.t('common:close'),
  });

const parseProblems = jsonParseLinter();

const problemLinter = (problems: () => readonly FieldError[]): Extension =>
  linter((view) => {
    const broken = view.state.doc.length === 0 ? [] : parseProblems(view);
    if (broken.length > 0) return broken;
    return problems().map(({ field, message }) => ({ ...spanOf(view.state, field), severity: 'error', message }));
  });

// Tab is not bound: it moves the focus out of the editor, as in other fields.
const keys = keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...foldKeymap, ...lintKeymap]);

/**
 * Handles typing over a selection. By default the browser copies the colours of the replaced text into style
 * attributes, which the hub's content security policy rejects with an error in the browser's console.
 */
const typeOver = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { state } = view;
    if (event.inputType !== 'insertText' || event.data === null || state.selection.main.empty || state.readOnly)
      return false;
    event.preventDefault();
    view.dispatch(state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true });
    return true;
  },
});

const extensionsFor = (label: string, readOnly: boolean, nonce: string | undefined): Extension => [
  ...(nonce === undefined ? [] : [EditorView.cspNonce.of(nonce)]),
  lineNumbers(),
  foldGutter(),
  lintGutter(),
  history(),
  drawSelection(),
  typeOver,
  indentOnInput(),
  bracketMatching(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  search({ top: true }),
  json(),
  syntaxHighlighting(colours),
  keys,
  phrases(),
  EditorState.tabSize.of(2),
  EditorState.readOnly.of(readOnly),
  // The editor must be reachable for screen readers even if it is read-only.
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
];

const NONE: readonly FieldError[] = [];

/** The CodeMirror editor, loaded when the JSON view is opened for the first time. */
export default function CodeMirror({ value, onChange, readOnly = false, problems, label, goTo }: JsonEditorProps) {
  const container = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef({ value, onChange, problems: problems ?? NONE });
  latest.current = { value, onChange, problems: problems ?? NONE };
  const dark = useScheme() === 'dark';
  const theme = useRef(new Compartment());
  // biome-ignore lint/correctness/useExhaustiveDependencies: a later effect changes the theme without a new editor.
  useEffect(() => {
    const own = new EditorView({
      ...(container.current ? { parent: container.current } : {}),
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          extensionsFor(label, readOnly, readNonce()),
          theme.current.of(editorTheme(dark)),
          problemLinter(() => latest.current.problems),
          EditorView.updateListener.of((update) => {
            const text = update.docChanged ? update.state.doc.toString() : latest.current.value;
            if (text !== latest.current.value) latest.current.onChange?.(text);
          }),
        ],
      }),
    });
    view.current = own;
    return () => own.destroy();
  }, [label, readOnly]);
  useEffect(() => {
    const own = view.current;
    if (!own || own.state.doc.toString() === value) return;
    own.dispatch({ changes: { from: 0, to: own.state.doc.length, insert: value } });
  }, [value]);
  useEffect(() => {
    view.current?.dispatch({ effects: theme.current.reconfigure(editorTheme(dark)) });
  }, [dark]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: shows new problems immediately, not at the next edit.
  useEffect(() => {
    if (view.current) forceLinting(view.current);
  }, [problems]);
  useEffect(() => {
    const own = view.current;
    if (!own || goTo === undefined) return;
    const { from, to } = spanOf(own.state, goTo.path);
    own.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
    own.focus();
  }, [goTo]);
  return <div className="dc-code-mirror" ref={container} />;
}
