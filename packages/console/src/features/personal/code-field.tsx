import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeInput, ResendButton } from '../../ui/code-input.tsx';
import type { AddressKind } from './address-kind.ts';
import type { CodeSender } from './use-send-code.ts';

type CodeFieldProps = {
  sender: CodeSender;
  kind: AddressKind;
  address: string;
  code: string;
  codeError: string;
  onCode: (code: string) => void;
};

/** Six inputs for a sent code, the hub's error for a wrong one, and a button to send another. */
export const CodeField = ({ sender, kind, address, code, codeError, onCode }: CodeFieldProps) => {
  const { t } = useTranslation(['personal', 'common']);
  const box = useRef<HTMLDivElement>(null);
  // On mount, and after a wrong code, which clears the inputs.
  useEffect(() => {
    if (code === '') box.current?.querySelector('input')?.focus();
  }, [code]);
  return (
    <div className="dc-person-code" ref={box}>
      <p role="status">{t('personal:proveSent', { address })}</p>
      <span className="dc-person-label">{t('common:codeLabel')}</span>
      <CodeInput value={code} onChange={onCode} invalid={codeError !== ''} />
      <span role="alert" className="dc-field-error">
        {codeError}
      </span>
      <ResendButton
        seconds={sender.secondsFor(address)}
        busy={sender.sending}
        onSend={() => {
          onCode('');
          sender.sendTo(kind, address);
        }}
      />
    </div>
  );
};
