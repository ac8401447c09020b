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
  refused: string;
  onCode: (code: string) => void;
};

/** Six boxes once the code is on its way, with what the hub said to a wrong one, and the way to another. */
export const CodeField = ({ sender, kind, address, code, refused, onCode }: CodeFieldProps) => {
  const { t } = useTranslation(['personal', 'common']);
  const box = useRef<HTMLDivElement>(null);
  // On arrival, and after a wrong code, which leaves the boxes empty.
  useEffect(() => {
    if (code === '') box.current?.querySelector('input')?.focus();
  }, [code]);
  return (
    <div className="dc-person-code" ref={box}>
      <p role="status">{t('personal:proveSent', { address })}</p>
      <span className="dc-person-label">{t('common:codeLabel')}</span>
      <CodeInput value={code} onChange={onCode} invalid={refused !== ''} />
      <span role="alert" className="dc-field-error">
        {refused}
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
