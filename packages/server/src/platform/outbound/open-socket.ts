import { once } from 'node:events';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls, rootCertificates } from 'node:tls';
import { NodeFailure } from './node-failure.ts';

/** A node's certificate file, ready for use: whom the hub believes, or what it shows of itself. */
export type NodeCertificate =
  | { use: 'trust'; pem: string }
  | { use: 'identity'; pem: string; key: string }
  | { use: 'identity'; p12: Buffer; password: string };

export type Target = { host: string; port: number; tls: boolean; certificate?: NodeCertificate | undefined };

const HUNG_UP = 'connection closed during the handshake';
const CERTIFICATES = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

const trustOf = (certificate: NodeCertificate | undefined): ConnectionOptions => {
  if (!certificate) return {};
  if (certificate.use === 'trust') return { ca: certificate.pem, allowPartialTrustChain: true };
  if ('p12' in certificate) return { pfx: certificate.p12, passphrase: certificate.password };
  // Whoever signed the hub's own certificate is believed too.
  const [, ...issuers] = certificate.pem.match(CERTIFICATES) ?? [];
  return { cert: certificate.pem, key: certificate.key, ca: [...rootCertificates, ...issuers] };
};

/** Waits for one event, or throws what came in between; the socket is gone then. */
const until = async (socket: Socket, event: string, signal: AbortSignal): Promise<void> => {
  // A socket that is closed without a word would otherwise be waited for until the time is up.
  const closed = new AbortController();
  const onClose = (): void => closed.abort(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
  socket.once('close', onClose);
  try {
    await once(socket, event, { signal: AbortSignal.any([signal, closed.signal]) });
  } catch (error) {
    socket.destroy();
    // `once` wraps the reason of a signal.
    throw (error as { code?: string }).code === 'ABORT_ERR' ? (error as Error).cause : error;
  } finally {
    socket.off('close', onClose);
  }
};

/** To this very address, whatever the name says by now. */
export const openPlain = async (address: string, port: number, signal: AbortSignal): Promise<Socket> => {
  signal.throwIfAborted();
  const socket = connectPlain({ host: address, port, family: isIP(address), noDelay: true });
  await until(socket, 'connect', signal);
  return socket;
};

/** The name stays what the certificate is held against. */
export const encrypt = async (plain: Socket, target: Target, signal: AbortSignal): Promise<Socket> => {
  const { host } = target;
  const socket = connectTls({
    socket: plain,
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    minVersion: 'TLSv1.2',
    ...trustOf(target.certificate),
  });
  try {
    await until(socket, 'secureConnect', signal);
  } catch (error) {
    plain.destroy();
    // Who expects another protocol hangs up over the first words of this one.
    throw (error as { code?: string }).code === 'ECONNRESET' ? new NodeFailure('tls', { reason: HUNG_UP }) : error;
  }
  return socket;
};
