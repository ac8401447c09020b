import { CodePurpose, fields, personalCalls } from '@device-center/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../api/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { useOnline } from '../../ui/media.ts';
import { type AddressKind, addressKinds, otherKind } from './address-kind.ts';
import { CodeField } from './code-field.tsx';
import { useSendCode } from './use-send-code.ts';

type ProveStepProps = {
  kind: AddressKind;
  /** The bound addresses; '' for none. */
  bound: Record<AddressKind, string>;
  /** Why one is here again, such as a proof that has grown old. */
  refused: string;
  onProven: () => void;
  /** For who has lost the addresses: the password proves it too. */
  onPassword: () => void;
};

/** A code to an address that one has: the one to be changed, or the other for who has lost it. */
export const ProveStep = ({ kind, bound, refused, onProven, onPassword }: ProveStepProps) => {
  const { t } = useTranslation(['personal', 'common']);
  const [via, setVia] = useState(kind);
  const [code, setCode] = useState('');
  const [wrong, setWrong] = useState('');
  const sender = useSendCode(CodePurpose.provePresent);
  const check = useCallMutation(personalCalls.checkCode);
  const address = bound[via];
  const other = otherKind(via);
  const online = useOnline();
  const sent = sender.sentTo === address;
  const complete = fields.code().safeParse(code).success;

  const submit = () => {
    if (!complete || check.isPending) return;
    check.mutate(
      { code, info: address, type: CodePurpose.provePresent },
      {
        onSuccess: onProven,
        onError: ({ message }) => {
          setWrong(message);
          setCode('');
        },
      },
    );
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <p className="dc-person-lead">{t('personal:proveLead', { kind: t(addressKinds[via].texts.word) })}</p>
      <p className="dc-notice" role="alert">
        {refused}
      </p>
      {sent ? (
        <CodeField
          {...{ sender, kind: via, address, code, refused: wrong }}
          onCode={(entered) => {
            setCode(entered);
            if (entered !== '') setWrong('');
          }}
        />
      ) : (
        <div className="dc-person-send">
          <p>{t('personal:proveTo', { address })}</p>
          <Button
            type="primary"
            disabled={!online}
            loading={sender.sending}
            onClick={() => sender.sendTo(via, address)}
          >
            {t('personal:sendCode')}
          </Button>
        </div>
      )}
      <div className="dc-button-row">
        {sent && (
          <Button type="primary" htmlType="submit" disabled={!complete || !online} loading={check.isPending}>
            {t('personal:next')}
          </Button>
        )}
        {bound[other] !== '' && (
          <Button
            type="link"
            onClick={() => {
              setVia(other);
              setCode('');
              setWrong('');
            }}
          >
            {t('personal:proveOther', { kind: t(addressKinds[other].texts.word) })}
          </Button>
        )}
        <Button type="link" onClick={onPassword}>
          {t('personal:provePassword')}
        </Button>
      </div>
    </form>
  );
};
