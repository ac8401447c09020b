import { outboxCalls } from '@device-center/contract';
import { Trans, useTranslation } from 'react-i18next';
import { useCall } from '../../api/use-call.ts';

const settings = {
  mail: { setting: 'SMTP_URL', example: 'smtp://user:password@mail.example.com:587' },
  sms: { setting: 'SMS_WEBHOOK_URL', example: 'https://sms.example.com/send' },
} as const;

/** The newest message tells how the hub is set now; older ones may be from before. */
const useKept = (channel: 'mail' | 'sms'): boolean => {
  const { data } = useCall(outboxCalls.queryOutboxList, { channel, pageSize: 1 });
  return data?.list[0]?.state === 'kept';
};

/** Why messages are only kept here, and what to set so that they go out. */
export const KeptNote = () => {
  const { t } = useTranslation('outbox');
  const mail = useKept('mail');
  const sms = useKept('sms');
  if (!mail && !sms) return null;
  return (
    <section className="dc-note dc-outbox-kept">
      <strong>{t('keptTitle')}</strong>
      {mail && (
        <p>
          <Trans t={t} i18nKey="keptMail" values={settings.mail} components={{ code: <code /> }} />
        </p>
      )}
      {sms && (
        <p>
          <Trans t={t} i18nKey="keptSms" values={settings.sms} components={{ code: <code /> }} />
        </p>
      )}
      <p className="dc-muted">{t('keptRestart')}</p>
    </section>
  );
};
