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
  /** The bound addresses; empty for none. */
  bound: Record<AddressKind, string>;
  /** Why the user was sent back to this step, such as an expired verification. */
  proofError: string;
  onProven: () => void;
  /** For users without access to a bound address: the password verifies them instead. */
  onPassword: () => void;
};

/** Sends a code to a bound address: the one to change, or the other if the user has no access to it. */
export const ProveStep = ({ kind, bound, proofError, onProven, onPassword }: ProveStepProps) => {
  const { t } = useTranslation(['personal', 'common']);
  const [via, setVia] = useState(kind);
  const [code, setCode] = useState('');
  const [codeError, setCodeError] = useState('');
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
          setCodeError(message);
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
      <p className="dc-person-lead">{t('personal:proveLead', { kind: t(addressKinds[via].texts.noun) })}</p>
      <p className="dc-notice" role="alert">
        {proofError}
      </p>
      {sent ? (
        <CodeField
          {...{ sender, kind: via, address, code, codeError }}
          onCode={(entered) => {
            setCode(entered);
            if (entered !== '') setCodeError('');
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
              setCodeError('');
            }}
          >
            {t('personal:proveOther', { kind: t(addressKinds[other].texts.noun) })}
          </Button>
        )}
        <Button type="link" onClick={onPassword}>
          {t('personal:provePassword')}
        </Button>
      </div>
    </form>
  );
};
