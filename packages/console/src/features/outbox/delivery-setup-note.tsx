import { outboxCalls } from '@device-center/contract';
import { Trans, useTranslation } from 'react-i18next';
import { useCall } from '../../api/use-call.ts';

const settings = {
  mail: { setting: 'SMTP_URL', example: 'smtp://user:password@mail.example.com:587' },
  sms: { setting: 'SMS_WEBHOOK_URL', example: 'https://sms.example.com/send' },
} as const;

/** The newest message reflects the hub's current settings; older ones may predate them. */
const useIsOnlyStored = (channel: 'mail' | 'sms'): boolean => {
  const { data } = useCall(outboxCalls.queryOutboxList, { channel, pageSize: 1 });
  return data?.list[0]?.state === 'kept';
};

/** Explains why messages are stored but not sent, and which setting sends them. */
export const DeliverySetupNote = () => {
  const { t } = useTranslation('outbox');
  const mail = useIsOnlyStored('mail');
  const sms = useIsOnlyStored('sms');
  if (!mail && !sms) return null;
  return (
    <section className="dc-note dc-outbox-setup">
      <strong>{t('storedTitle')}</strong>
      {mail && (
        <p>
          <Trans t={t} i18nKey="storedMail" values={settings.mail} components={{ code: <code /> }} />
        </p>
      )}
      {sms && (
        <p>
          <Trans t={t} i18nKey="storedSms" values={settings.sms} components={{ code: <code /> }} />
        </p>
      )}
      <p className="dc-muted">{t('storedRestart')}</p>
    </section>
  );
};
