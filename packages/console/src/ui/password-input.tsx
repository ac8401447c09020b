import { containsAccount, passwordClasses } from '@device-center/contract';
import { Input, type InputProps } from 'antd';
import { Check, Circle } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RevealButton } from './reveal-button.tsx';

/** Password input with a reveal button and a caps-lock hint. */
export const PasswordInput = (props: InputProps) => {
  const { t } = useTranslation();
  const [capsLock, setCapsLock] = useState(false);
  const [shown, setShown] = useState(false);
  const watch = (event: KeyboardEvent) => setCapsLock(event.getModifierState?.('CapsLock') ?? false);
  return (
    <>
      <Input
        {...props}
        type={shown ? 'text' : 'password'}
        onKeyDown={watch}
        onKeyUp={watch}
        suffix={<RevealButton shown={shown} onToggle={() => setShown(!shown)} />}
      />
      <span role="status" className="dc-caps">
        {capsLock ? t('capsLock') : ''}
      </span>
    </>
  );
};

const strengthOf = (password: string): 0 | 1 | 2 | 3 => {
  if (password === '') return 0;
  const score = passwordClasses(password) + (password.length >= 12 ? 1 : 0);
  if (password.length < 8 || score < 2) return 1;
  return score >= 4 ? 3 : 2;
};

type PasswordRulesProps = {
  password: string;
  /** Empty if the console does not know the account. */
  account: string;
  confirmed?: string;
};

/** Shows which of the four password rules of the spec are met, and the strength. */
export const PasswordRules = ({ password, account, confirmed }: PasswordRulesProps) => {
  const { t } = useTranslation();
  const words = ['', t('strengthWeak'), t('strengthFair'), t('strengthStrong')] as const;
  const strength = strengthOf(password);
  const rules = [
    { text: t('passwordLength'), kept: /^[\x20-\x7e]{8,20}$/.test(password) },
    { text: t('passwordMix'), kept: passwordClasses(password) >= 2 },
    { text: t('passwordNoAccount'), kept: password !== '' && !containsAccount(password, account) },
    ...(confirmed === undefined ? [] : [{ text: t('passwordMatch'), kept: password !== '' && password === confirmed }]),
  ];
  return (
    <div className="dc-password-rules">
      <div
        className={`dc-strength dc-strength-${strength}`}
        role="img"
        aria-label={`${t('strength')} ${words[strength]}`}
      >
        <i />
        <i />
        <i />
        <span aria-hidden="true">{words[strength]}</span>
      </div>
      <ul>
        {rules.map(({ text, kept }) => (
          <li key={text} data-kept={kept}>
            {kept ? <Check size={14} aria-hidden /> : <Circle size={10} aria-hidden />} {text}
          </li>
        ))}
      </ul>
    </div>
  );
};
