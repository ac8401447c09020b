import { CodePurpose, fields, personalCalls } from '@device-center/contract';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { App, Input, Radio } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../../api/api-error.ts';
import { announceSuccess } from '../../api/feedback.ts';
import { send } from '../../api/send.ts';
import { forgetEverything } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { useOnline } from '../../ui/media.ts';
import { type AddressKind, addressKinds } from './address-kind.ts';
import { CodeField } from './code-field.tsx';
import { useSendCode } from './use-send-code.ts';
import type { Person } from './with-person.tsx';

/** Not useCallMutation: that reads the person anew afterwards, who is gone then. */
const useCancelAccount = (onGone: () => void) =>
  useMutation<null, ApiError, { code: string }>({
    mutationFn: (input) => send(personalCalls.cancelAccount, input),
    onSuccess: onGone,
  });

/** Code, account name, red button, question: four deliberate steps to what cannot be undone. */
export const DestroyForm = ({ person }: { person: Person }) => {
  const { t } = useTranslation(['personal', 'common']);
  const { modal } = App.useApp();
  const router = useRouter();
  const typedId = useId();
  const kinds: AddressKind[] = (['email', 'phone'] as const).filter((kind) => person[kind] !== '');
  const [kind, setKind] = useState<AddressKind>(kinds[0] ?? 'email');
  const [code, setCode] = useState('');
  const [typed, setTyped] = useState('');
  const [refusal, setRefusal] = useState<ApiError>();
  const sender = useSendCode(CodePurpose.cancelAccount);
  const { username } = person;
  const address = person[kind];
  const sent = sender.sentTo === address;
  const ready = useOnline() && sent && fields.code().safeParse(code).success && typed === username;
  const wrongCode = refusal?.code === 'CODE_WRONG';

  const cancel = useCancelAccount(() => {
    announceSuccess(t('personal:destroyed'));
    forgetEverything();
    void router.navigate({ to: '/', search: {} as never, replace: true, ignoreBlocker: true });
  });

  const refuse = (error: ApiError) => {
    setRefusal(error);
    if (error.code === 'CODE_WRONG') setCode('');
  };

  const ask = () =>
    void modal.confirm({
      title: t('personal:destroyAskTitle', { username }),
      content: t('personal:destroyAskText'),
      okText: t('personal:destroySubmit'),
      cancelText: t('common:cancel'),
      okButtonProps: { danger: true },
      onOk: () => cancel.mutateAsync({ code }).then(() => undefined, refuse),
    });

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) ask();
      }}
    >
      <p className="dc-notice" role="alert">
        {refusal && !wrongCode ? refusal.message : ''}
      </p>
      <fieldset className="dc-person-via">
        <legend className="dc-person-label">{t('personal:destroyVia')}</legend>
        <Radio.Group
          value={kind}
          onChange={({ target: { value } }) => {
            setKind(value === 'phone' ? 'phone' : 'email');
            setCode('');
            setRefusal(undefined);
          }}
          options={kinds.map((one) => ({
            value: one,
            label: `${t(addressKinds[one].texts.label)} ${person[one]}`,
          }))}
        />
      </fieldset>
      {sent ? (
        <CodeField
          {...{ sender, kind, address, code, refused: wrongCode ? refusal.message : '' }}
          onCode={(entered) => {
            setCode(entered);
            if (entered !== '') setRefusal(undefined);
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
