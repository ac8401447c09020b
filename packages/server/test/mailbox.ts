import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export type Mail = { to: string; text: string };

const POLL_MS = 20;
const WAIT_MS = 30_000;

/** Polls until the condition holds. */
export const waitFor = async <Found>(
  what: string,
  look: () => Found | undefined | Promise<Found | undefined>,
): Promise<Found> => {
  const until = Date.now() + WAIT_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > until) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
};

const decodeBody = (raw: string): string => {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  if (/content-transfer-encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8');
  if (/content-transfer-encoding: quoted-printable/i.test(head)) {
    const bytes = body
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    return Buffer.from(bytes, 'latin1').toString('utf8');
  }
  return body;
};

const CODE = /\b\d{6}\b/;
const INITIAL_PASSWORD = /(?:初始密码：|Initial password: )(\S+)/;

/** A real SMTP server that stores the mails; on a free port or on the given one. */
export const startMailbox = async (onPort = 0) => {
  const mails: Mail[] = [];
  const discarded = new Set<string>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const text = decodeBody(Buffer.concat(chunks).toString('utf8'));
        for (const { address } of session.envelope.rcptTo) {
          const isDiscarded = INITIAL_PASSWORD.test(text) && discarded.delete(address);
          if (!isDiscarded) mails.push({ to: address, text });
        }
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(onPort, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;

  /** The first unread mail to this address that matches. */
  const read = (to: string, having = /^/): Promise<string> =>
    waitFor(`a mail to ${to}`, () => {
      const index = mails.findIndex((mail) => mail.to === to && having.test(mail.text));
      return index < 0 ? undefined : mails.splice(index, 1)[0]?.text;
    });

  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    read,
    /** Discards the first mail with a password to this address, also when it arrives later. */
    discardPassword: (to: string): void => {
      const index = mails.findIndex((mail) => mail.to === to && INITIAL_PASSWORD.test(mail.text));
      if (index < 0) discarded.add(to);
      else mails.splice(index, 1);
    },
    readCode: async (to: string): Promise<string> => CODE.exec(await read(to, CODE))?.[0] ?? '',
    readPassword: async (to: string): Promise<string> =>
      INITIAL_PASSWORD.exec(await read(to, INITIAL_PASSWORD))?.[1] ?? '',
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
};

export type Mailbox = Awaited<ReturnType<typeof startMailbox>>;

/** A webhook that stores the text messages. */
export const startWebhook = async () => {
  const texts: { phone: string; text: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      texts.push(JSON.parse(Buffer.concat(chunks).toString('utf8')));
      response.end('ok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/sms`,
    texts,
    readCode: (phone: string): Promise<string> =>
      waitFor(`a text message to ${phone}`, () => {
        const index = texts.findIndex((text) => text.phone === phone);
        return index < 0 ? undefined : /\d{6}/.exec(texts.splice(index, 1)[0]?.text ?? '')?.[0];
      }),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
};

export type Webhook = Awaited<ReturnType<typeof startWebhook>>;
