import { createTransport } from 'nodemailer';

/** Delivery of mails and text messages. */
export type Transports = {
  mail: (to: string, subject: string, text: string) => Promise<void>;
  sms: (phone: string, text: string) => Promise<void>;
  close: () => void;
};

const TIMEOUT_MS = 20_000;

type TransportSettings = { SMTP_URL: string | undefined; MAIL_FROM: string; SMS_WEBHOOK_URL: string | undefined };

export const createTransports = ({ SMTP_URL, MAIL_FROM, SMS_WEBHOOK_URL }: TransportSettings): Transports => {
  const smtp = SMTP_URL
    ? createTransport({
        url: SMTP_URL,
        connectionTimeout: TIMEOUT_MS,
        greetingTimeout: TIMEOUT_MS,
        socketTimeout: TIMEOUT_MS,
      })
    : null;
  return {
    mail: async (to, subject, text) => {
      if (!smtp) throw new Error('SMTP_URL is not set');
      await smtp.sendMail({ from: MAIL_FROM, to: { name: '', address: to }, subject, text });
    },
    sms: async (phone, text) => {
      if (!SMS_WEBHOOK_URL) throw new Error('SMS_WEBHOOK_URL is not set');
      const answer = await fetch(SMS_WEBHOOK_URL, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ phone, text }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
        redirect: 'error',
      });
      if (!answer.ok) throw new Error(`webhook returned status ${answer.status}`);
    },
    close: () => smtp?.close(),
  };
};
