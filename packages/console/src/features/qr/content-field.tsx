import { Input } from 'antd';
import type { TextAreaRef } from 'antd/es/input/TextArea';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { Button } from '../../ui/button.tsx';
import { problemOf } from '../../ui/plain-field.tsx';
import { placeholders } from './content.ts';
import type { DesignProps } from './design.ts';
import { LabelledField } from './labelled-field.tsx';

/** Spec §5: content is required. Uses the contract's message. */
const contentRule = z.string().trim().min(1, { error: 'REQUIRED' });

type ContentFieldProps = DesignProps & {
  /** Problem of the generated code. */
  problem: string;
};

/** The content template with placeholders for device attributes. */
export const ContentField = ({ design: { content }, onDesign, problem }: ContentFieldProps) => {
  const { t } = useTranslation('qrCode');
  const field = useRef<TextAreaRef>(null);
  const insert = (placeholder: string) => {
    const area = field.current?.resizableTextArea?.textArea;
    const [from, to] = area ? [area.selectionStart, area.selectionEnd] : [content.length, content.length];
    onDesign({ content: content.slice(0, from) + placeholder + content.slice(to) });
    // Set the caret after React has updated the text; otherwise it would move to the end.
    setTimeout(() => {
      area?.focus();
      area?.setSelectionRange(from + placeholder.length, from + placeholder.length);
    }, 0);
  };
  return (
    <>
      <LabelledField
        label={t('content')}
        required
        hint={t('contentHint')}
        problem={problemOf(contentRule, content) || problem}
      >
        {(control) => (
          <Input.TextArea
            {...control}
            ref={field}
            className="dc-qr-content"
            value={content}
            rows={4}
            onChange={({ target }) => onDesign({ content: target.value })}
          />
        )}
      </LabelledField>
      <fieldset className="dc-qr-inserts" aria-label={t('insert')}>
        <span aria-hidden="true">{t('insert')}</span>
        {placeholders.map((name) => (
          <Button key={name} size="small" aria-label={t(`insert_${name}`)} onClick={() => insert(`{${name}}`)}>
            {t(`place_${name}`)}
          </Button>
        ))}
      </fieldset>
    </>
  );
};
