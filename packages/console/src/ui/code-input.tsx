import { fieldTexts } from '@device-center/contract';
import { Input } from 'antd';
import { type ClipboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../i18n/language.ts';
import { Button } from './button.tsx';

const LENGTH = 6;
const digitsOf = (text: string): string => text.replace(/\D/g, '');

type CodeInputProps = {
  value?: string;
  onChange?: (code: string) => void;
  invalid?: boolean;
  disabled?: boolean;
  id?: string;
};

/** Six boxes for a verification code; a pasted code fills all of them. */
export const CodeInput = ({ value = '', onChange, invalid = false, disabled = false, id }: CodeInputProps) => {
  const { t } = useTranslation();
  const boxes = useRef<HTMLDivElement>(null);
  const [isPastedTooLong, setPastedTooLong] = useState(false);
  // The boxes would keep the first six digits of a longer text, which is a different code.
  const refuseLong = (event: ClipboardEvent<HTMLDivElement>) => {
    const tooLong = digitsOf(event.clipboardData.getData('text')).length > LENGTH;
    setPastedTooLong(tooLong);
    if (tooLong) event.preventDefault();
  };
  const change = (code: string) => {
    setPastedTooLong(false);
    onChange?.(code);
  };
  // antd sets an English accessible name on each box and has no option to change it.
  useEffect(() => {
    for (const [index, box] of [...(boxes.current?.querySelectorAll('input') ?? [])].entries())
      box.setAttribute('aria-label', t('codeDigit', { index: index + 1 }));
  });
  return (
    <div ref={boxes} id={id} className="dc-code" onPasteCapture={refuseLong}>
      <Input.OTP
        length={LENGTH}
        value={value}
        disabled={disabled}
        {...(invalid ? { status: 'error' as const } : {})}
        inputMode="numeric"
        autoComplete="one-time-code"
        aria-label={t('codeLabel')}
        formatter={digitsOf}
        onInput={(digits) => change(digits.join(''))}
        onChange={change}
      />
      {isPastedTooLong && (
        <span role="alert" className="dc-field-error">
          {fieldTexts.CODE[currentLanguage()]}
        </span>
      )}
    </div>
  );
};

type ResendButtonProps = { seconds: number; busy?: boolean; onSend: () => void; firstText?: string };

export const ResendButton = ({ seconds, busy = false, onSend, firstText }: ResendButtonProps) => {
  const { t } = useTranslation();
  return (
    <Button type="link" className="dc-resend" disabled={seconds > 0} loading={busy} onClick={onSend}>
      {seconds > 0 ? t('codeResendIn', { seconds }) : (firstText ?? t('codeResend'))}
    </Button>
  );
};
