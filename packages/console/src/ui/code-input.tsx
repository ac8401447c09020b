import { Button, Input } from 'antd';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

const LENGTH = 6;

type CodeInputProps = {
  value?: string;
  onChange?: (code: string) => void;
  invalid?: boolean;
  disabled?: boolean;
  id?: string;
};

/** Six boxes; a pasted code fills them all. */
export const CodeInput = ({ value = '', onChange, invalid = false, disabled = false, id }: CodeInputProps) => {
  const { t } = useTranslation();
  const boxes = useRef<HTMLDivElement>(null);
  // antd names each box in English and takes no other name.
  useEffect(() => {
    for (const [index, box] of [...(boxes.current?.querySelectorAll('input') ?? [])].entries())
      box.setAttribute('aria-label', t('codeDigit', { index: index + 1 }));
  });
  return (
    <div ref={boxes} id={id} className="dc-code">
      <Input.OTP
        length={LENGTH}
        value={value}
        disabled={disabled}
        {...(invalid ? { status: 'error' as const } : {})}
        inputMode="numeric"
        autoComplete="one-time-code"
        aria-label={t('codeLabel')}
        formatter={(text) => text.replace(/\D/g, '')}
        onInput={(digits) => onChange?.(digits.join(''))}
        onChange={(code) => onChange?.(code)}
      />
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
