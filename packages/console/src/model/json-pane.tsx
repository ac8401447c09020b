import type { FieldError, FunctionWithId } from '@device-center/contract';
import { startTransition, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { JsonEditor } from './json-editor.tsx';
import { readModelList, textOfModel } from './model-text.ts';
import { PathMessages } from './path-messages.tsx';

const PAUSE_MS = 250;

type JsonPaneProps = {
  functions: FunctionWithId[];
  max: number;
  readOnly: boolean;
  onChange: (functions: FunctionWithId[]) => void;
  /** Called with true while the text is invalid and therefore not in the draft. */
  onProblemChange: (wrong: boolean) => void;
};

const NONE: FieldError[] = [];

/** The whole draft as JSON text. Valid text replaces the draft; invalid text leaves it unchanged. */
export const JsonPane = ({ functions, max, readOnly, onChange, onProblemChange }: JsonPaneProps) => {
  const { t } = useTranslation('model');
  const [text, setText] = useState(() => textOfModel(functions));
  const [problems, setProblems] = useState(NONE);
  const [goTo, setGoTo] = useState<{ path: string }>();
  const pending = useRef<string | null>(null);
  const closed = useRef(false);
  /** The functions that the text last represented. */
  const lastFunctions = useRef(functions);
  const latest = useRef({ functions, max, onChange, onProblemChange });
  latest.current = { functions, max, onChange, onProblemChange };

  const applyText = useRef(() => {
    if (pending.current === null) return;
    const read = readModelList(pending.current, latest.current.functions, latest.current.max);
    pending.current = null;
    const wrong = 'problems' in read ? read.problems : NONE;
    // The editor is closed and the invalid text is discarded, so there is nothing to report.
    if (closed.current && wrong.length > 0) return;
    setProblems(wrong);
    latest.current.onProblemChange(wrong.length > 0);
    if (!('functions' in read)) return;
    if (textOfModel(read.functions) === textOfModel(latest.current.functions)) return;
    lastFunctions.current = read.functions;
    startTransition(() => latest.current.onChange(read.functions));
  });

  const change = (next: string) => {
    setText(next);
    pending.current = next;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new text restarts the delay.
  useEffect(() => {
    if (pending.current === null) return;
    const timer = setTimeout(applyText.current, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  // The draft was changed elsewhere: undo, import, discard.
  useEffect(() => {
    const same = functions === lastFunctions.current || textOfModel(functions) === textOfModel(lastFunctions.current);
    lastFunctions.current = functions;
    if (same) return;
    pending.current = null;
    setText(textOfModel(functions));
    setProblems(NONE);
    latest.current.onProblemChange(false);
  }, [functions]);
  // Applies pending text when the editor is closed.
  useEffect(() => {
    const finish = applyText.current;
    closed.current = false;
    return () => {
      closed.current = true;
      finish();
    };
  }, []);

  return (
    <div className="dc-json-pane">
      {!readOnly && <p className="dc-muted">{t('jsonHint')}</p>}
      <JsonEditor
        value={text}
        onChange={change}
        readOnly={readOnly}
        problems={problems}
        label={t('jsonLabel')}
        goTo={goTo}
      />
      {problems.length > 0 && (
        <PathMessages
          wrong
          title={t('jsonProblems', { count: problems.length })}
          entries={problems}
          onOpen={(path) => setGoTo({ path })}
        />
      )}
    </div>
  );
};
