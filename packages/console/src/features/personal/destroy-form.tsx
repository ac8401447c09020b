import { CodePurpose, fields, personalCalls } from '@device-center/contract';
import { useMutation } from '@tanstack/react-query';
import { App, Input, Radio } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../../api/api-error.ts';
import { announceSuccess } from '../../api/feedback.ts';
import { send } from '../../api/send.ts';
import { clearStorage } from '../../api/session.ts';
import { loginPath } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { useOnline } from '../../ui/media.ts';
import { useNavigate } from '../../ui/routing.ts';
import { type AddressKind, addressKinds } from './address-kind.ts';
import { CodeField } from './code-field.tsx';
import { useSendCode } from './use-send-code.ts';
import type { Person } from './with-person.tsx';

/** Not useCallMutation: it refetches the user afterwards, who no longer exists. */
const useCancelAccount = (onCancelled: () => void) =>
  useMutation<null, ApiError, { code: string }>({
    mutationFn: (input) => send(personalCalls.cancelAccount, input),
    onSuccess: onCancelled,
  });

/** Requires a code, the account name and a confirmation, because cancelling cannot be undone. */
export const DestroyForm = ({ person }: { person: Person }) => {
  const { t } = useTranslation(['personal', 'common']);
  const { modal } = App.useApp();
  const navigate = useNavigate();
  const typedId = useId();
  const kinds: AddressKind[] = (['email', 'phone'] as const).filter((kind) => person[kind] !== '');
  const [kind, setKind] = useState<AddressKind>(kinds[0] ?? 'email');
  const [code, setCode] = useState('');
  const [typed, setTyped] = useState('');
  const [cancelError, setCancelError] = useState<ApiError>();
  const sender = useSendCode(CodePurpose.cancelAccount);
  const { username } = person;
  const address = person[kind];
  const sent = sender.sentTo === address;
  const ready = useOnline() && sent && fields.code().safeParse(code).success && typed === username;
  const wrongCode = cancelError?.code === 'CODE_WRONG';

  const cancel = useCancelAccount(() => {
    announceSuccess(t('personal:destroyed'));
    clearStorage();
    void navigate({ to: loginPath, search: {}, replace: true, ignoreBlocker: true });
  });

  const showError = (error: ApiError) => {
    setCancelError(error);
    if (error.code === 'CODE_WRONG') setCode('');
  };

  const confirmCancel = () =>
    void modal.confirm({
      title: t('personal:destroyAskTitle', { username }),
      content: t('personal:destroyAskText'),
      okText: t('personal:destroySubmit'),
      cancelText: t('common:cancel'),
      okButtonProps: { danger: true },
      onOk: () => cancel.mutateAsync({ code }).then(() => undefined, showError),
    });

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) confirmCancel();
      }}
    >
      <p className="dc-notice" role="alert">
        {cancelError && !wrongCode ? cancelError.message : ''}
      </p>
      <fieldset className="dc-person-via">
        <legend className="dc-person-label">{t('personal:destroyVia')}</legend>
        <Radio.Group
          value={kind}
          onChange={({ target: { value } }) => {
            setKind(value === 'phone' ? 'phone' : 'email');
            setCode('');
            setCancelError(undefined);
          }}
          options={kinds.map((one) => ({
            value: one,
            label: `${t(addressKinds[one].texts.label)} ${person[one]}`,
          }))}
        />
      </fieldset>
      {sent ? (
        <CodeField
          {...{ sender, kind, address, code, codeError: wrongCode ? cancelError.message : '' }}
          onCode={(entered) => {
            setCode(entered);
            if (entered !== '') setCancelError(undefined);
          }}
        />
      ) : (
        <div className="dc-person-send">
          <Button loading={sender.sending} onClick={() => sender.sendTo(kind, address)}>
            {t('personal:sendCode')}
          </Button>
        </div>
      )}
      <p className="dc-person-typed">
        <label htmlFor={typedId}>{t('personal:destroyTyped', { username })}</label>
        <Input id={typedId} value={typed} autoComplete="off" onChange={({ target }) => setTyped(target.value)} />
      </p>
      <Button danger type="primary" htmlType="submit" disabled={!ready} loading={cancel.isPending}>
        {t('personal:destroySubmit')}
      </Button>
    </form>
  );
};
