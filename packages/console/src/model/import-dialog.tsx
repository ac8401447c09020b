import {
  compareModels,
  type FunctionWithId,
  type ModelDifference,
  type ModelRead,
  mergeModels,
  readModelText,
} from '@device-center/contract';
import { Input, Modal, Radio } from 'antd';
import { useCallback, useEffect, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../i18n/language.ts';
import { Button } from '../ui/button.tsx';
import { FileZone } from '../ui/file-zone.tsx';
import { ChangeList } from './change-list.tsx';
import { isDirty } from './draft.ts';
import { PathMessages } from './path-messages.tsx';
import './import-dialog.css';

const MAX_BYTES = 4 * 1024 * 1024;

type Mode = 'replace' | 'merge';

type OutcomeProps = { read: ModelRead & { ok: true }; difference: ModelDifference };

const Outcome = ({ read, difference }: OutcomeProps) => {
  const { t } = useTranslation('model');
  const format = t(read.format === 'tsl' ? 'importFormatTsl' : 'importFormatJson');
  return (
    <>
      <p role="status">
        {t('importFormat')}: <strong>{format}</strong> · {t('importCount', { count: read.functions.length })}
      </p>
      {read.notes.length > 0 && (
        <PathMessages
          title={t('importNotes', { count: read.notes.length })}
          entries={read.notes.map(({ place, text }) => ({ field: place, message: text[currentLanguage()] }))}
        />
      )}
      <ChangeList difference={difference} />
    </>
  );
};

type ImportDialogProps = {
  /** A file that was dropped onto the editor. */
  file?: File | undefined;
  present: FunctionWithId[];
  max: number;
  onImport: (functions: FunctionWithId[]) => void;
  onClose: () => void;
};

/** Reads a file or text, shows the changes and replaces the draft. */
export const ImportDialog = ({ file: dropped, present, max, onImport, onClose }: ImportDialogProps) => {
  const { t } = useTranslation(['model', 'common']);
  const [text, setText] = useState('');
  const [tooBig, setTooBig] = useState(false);
  const [mode, setMode] = useState<Mode>('replace');
  const textId = useId();
  const read = useMemo(() => (text.trim() === '' ? null : readModelText(text, currentLanguage())), [text]);
  const result = useMemo(() => (read?.ok ? mergeModels(present, read.functions, mode) : null), [read, present, mode]);
  const difference = useMemo(() => result && compareModels(present, result), [present, result]);
  const over = result !== null && result.length > max;
  const changeText = (next: string) => {
    setTooBig(false);
    setText(next);
  };
  const readFile = useCallback(async (file: File) => {
    const fits = file.size <= MAX_BYTES;
    setTooBig(!fits);
    setText(fits ? await file.text() : '');
  }, []);
  useEffect(() => {
    if (dropped) void readFile(dropped);
  }, [dropped, readFile]);
  return (
    <Modal
      open
      title={t('model:importTitle')}
      width={760}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button
            type="primary"
            needsHub={false}
            disabled={difference === null || over || !isDirty(difference)}
            onClick={() => result && onImport(result)}
          >
            {t('model:importTake')}
          </Button>
        </>
      }
    >
      <div className="dc-fn-dialog dc-import">
        <FileZone
          text={t('model:importDrop')}
          button={t('model:importChoose')}
          accept=".json,.txt,application/json,text/plain"
          note={t('model:importFormats')}
          onFile={(file) => void readFile(file)}
        />
        <label htmlFor={textId}>{t('model:importPaste')}</label>
        <Input.TextArea
          id={textId}
          aria-label={t('model:importPasteLabel')}
          className="dc-fn-mono"
          rows={4}
          spellCheck={false}
          value={text}
          onChange={({ target }) => changeText(target.value)}
        />
        {tooBig && (
          <p role="alert" className="dc-form-errors">
            {t('model:importTooBig')}
          </p>
        )}
        {read && !read.ok && (
          <PathMessages
            wrong
            title={t('model:importProblems', { count: read.problems.length })}
            entries={read.problems}
          />
        )}
        {read?.ok && result && difference && (
          <>
            <Radio.Group
              aria-label={t('model:importMode')}
              value={mode}
              onChange={({ target }) => setMode(target.value as Mode)}
              options={[
                { value: 'replace', label: t('model:importReplace') },
                { value: 'merge', label: t('model:importMerge') },
              ]}
            />
            {over && (
              <p role="alert" className="dc-form-errors">
                {t('model:tooMany', { max, count: result.length })}
              </p>
            )}
            <Outcome read={read} difference={difference} />
          </>
        )}
      </div>
    </Modal>
  );
};
