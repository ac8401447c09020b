import { issueText } from '@device-center/contract';
import { type InputHTMLAttributes, type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { currentLanguage } from '../i18n/language.ts';
import { RevealButton } from './reveal-button.tsx';

/** The first validation error of a value, or ''. */
export const problemOf = (schema: z.ZodType, value: string): string => {
  const issue = schema.safeParse(value, { reportInput: true }).error?.issues[0];
  return issue ? issueText(issue, currentLanguage()) : '';
};

type PlainFieldProps = {
  label: string;
  value: string;
  problem: string;
  onValue: (value: string) => void;
} & Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'>;

/** An input without antd, whose form and inputs would add a third to the size of the login page. */
export const PlainField = ({ label, value, problem, onValue, type = 'text', ...rest }: PlainFieldProps) => {
  const { t } = useTranslation();
  const id = useId();
  const [shown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const secret = type === 'password';
  const watch = (event: KeyboardEvent) => secret && setCapsLock(event.getModifierState?.('CapsLock') ?? false);
  return (
    <div className="dc-plain-field">
      <label htmlFor={id}>{label}</label>
      <span className="dc-plain-input">
        <input
          {...rest}
          id={id}
          type={secret && shown ? 'text' : type}
          value={value}
          aria-invalid={problem !== ''}
          aria-describedby={`${id}-problem`}
          onChange={(event) => onValue(event.target.value)}
          onKeyDown={watch}
          onKeyUp={watch}
        />
        {secret && <RevealButton shown={shown} onToggle={() => setShown(!shown)} />}
      </span>
      <span role="status" className="dc-caps">
        {capsLock ? t('capsLock') : ''}
      </span>
      <span id={`${id}-problem`} className="dc-field-error">
        {problem}
      </span>
    </div>
  );
};
