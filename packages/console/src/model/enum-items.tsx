import { ENUM_MAX } from '@device-center/contract';
import { Input } from 'antd';
import { ClipboardPaste, Plus } from 'lucide-react';
import { type ClipboardEvent, memo, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { EntryTools, movedEntry } from './entry-tools.tsx';
import { ListProblem, TextField } from './form-field.tsx';
import { useForm, useKeys } from './form-store.ts';
import { blankItem, type FormItem } from './function-form.ts';
import { itemsOfLines } from './item-lines.ts';

type ItemRowProps = {
  path: string;
  index: number;
  last: boolean;
  onMove: (from: number, to: number) => void;
  onRemove: (index: number) => void;
  onLines: (index: number, text: string) => void;
};

const ItemRow = memo(({ path, index, last, onMove, onRemove, onLines }: ItemRowProps) => {
  const { t } = useTranslation('model');
  const entry = t('entryOf', { list: t('items'), index: index + 1 });
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text');
    if (!text.trim().includes('\n')) return;
    event.preventDefault();
    onLines(index, text);
  };
  return (
    <li className="dc-enum-row">
      <TextField path={`${path}.value`} label={t('value')} mono onPaste={paste} />
      <TextField path={`${path}.description`} label={t('description')} />
      <EntryTools
        entry={entry}
        index={index}
        last={last}
        onMove={(to) => onMove(index, to)}
        onRemove={() => onRemove(index)}
      />
    </li>
  );
});

/** Text area to paste many lines at once, such as from a data sheet. */
const PasteLines = ({ onAdd }: { onAdd: (items: FormItem[]) => void }) => {
  const { t } = useTranslation('model');
  const id = useId();
  const [text, setText] = useState('');
  return (
    <div className="dc-enum-paste">
      <label htmlFor={id} className="dc-muted">
        {t('pasteHint')}
      </label>
      <Input.TextArea
        id={id}
        aria-label={t('pasteLabel')}
        rows={4}
        autoFocus
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button size="small" disabled={text.trim() === ''} onClick={() => onAdd(itemsOfLines(text))}>
        {t('pasteAdd')}
      </Button>
    </div>
  );
};

const useItemChanges = (path: string) => {
  const change = useForm((state) => state.change);
  return useMemo(() => {
    const to = (next: (items: FormItem[]) => FormItem[]) => change<FormItem[]>(path, next);
    return {
      add: (added: FormItem[]) => to((items) => [...items, ...added]),
      onMove: (from: number, at: number) => to((items) => movedEntry(items, from, at)),
      onRemove: (at: number) => to((items) => items.toSpliced(at, 1)),
      onLines: (at: number, text: string) => to((items) => items.toSpliced(at, 1, ...itemsOfLines(text))),
      /** Replaces empty rows. */
      paste: (added: FormItem[]) =>
        to((items) => [...items.filter((item) => item.value !== '' || item.description !== ''), ...added]),
    };
  }, [change, path]);
};

/** Rows of value and description, at least one. */
export const EnumItems = ({ path }: { path: string }) => {
  const { t } = useTranslation('model');
  const keys = useKeys(path);
  const { add, paste, ...changes } = useItemChanges(path);
  const [pasting, setPasting] = useState(false);
  return (
    <fieldset className="dc-fn-list">
      <legend>{t('items')}</legend>
      <ul>
        {keys.map((key, index) => (
          <ItemRow key={key} path={`${path}.${index}`} index={index} last={index === keys.length - 1} {...changes} />
        ))}
      </ul>
      <ListProblem path={path} />
      {pasting && (
        <PasteLines
          onAdd={(added) => {
            paste(added);
            setPasting(false);
          }}
        />
      )}
      <div className="dc-fn-list-tools">
        <Button
          size="small"
          icon={<Plus size={14} aria-hidden />}
          disabled={keys.length >= ENUM_MAX}
          onClick={() => add([blankItem()])}
        >
          {t('addItem')}
        </Button>
        <Button
          size="small"
          icon={<ClipboardPaste size={14} aria-hidden />}
          aria-expanded={pasting}
          onClick={() => setPasting(!pasting)}
        >
          {t('pasteItems')}
        </Button>
      </div>
    </fieldset>
  );
};
