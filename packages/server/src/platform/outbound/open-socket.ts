import { once } from 'node:events';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls, rootCertificates } from 'node:tls';
import { NodeFailure } from './node-failure.ts';

/** A node's parsed certificate file: a CA that the hub trusts, or the hub's client certificate. */
export type NodeCertificate =
  | { use: 'trust'; pem: string }
  | { use: 'identity'; pem: string; key: string }
  | { use: 'identity'; p12: Buffer; password: string };

export type Target = { host: string; port: number; tls: boolean; certificate?: NodeCertificate | undefined };

const CLOSED_IN_HANDSHAKE = 'connection closed during the handshake';
const CERTIFICATES = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

const trustOf = (certificate: NodeCertificate | undefined): ConnectionOptions => {
  if (!certificate) return {};
  if (certificate.use === 'trust') return { ca: certificate.pem, allowPartialTrustChain: true };
  if ('p12' in certificate) return { pfx: certificate.p12, passphrase: certificate.password };
  // The issuers of the hub's own certificate are trusted too.
  const [, ...issuers] = certificate.pem.match(CERTIFICATES) ?? [];
  return { cert: certificate.pem, key: certificate.key, ca: [...rootCertificates, ...issuers] };
};

/** Waits for one event; on any error the socket is destroyed. */
const waitFor = async (socket: Socket, event: string, signal: AbortSignal): Promise<void> => {
  // Without this, a socket closed without an error would be waited for until the time-out.
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

/** Connects to this address without another DNS lookup. */
export const openPlain = async (address: string, port: number, signal: AbortSignal): Promise<Socket> => {
  signal.throwIfAborted();
  const socket = connectPlain({ host: address, port, family: isIP(address), noDelay: true });
  await waitFor(socket, 'connect', signal);
  return socket;
};

/** The certificate is verified against the host name. */
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
    await waitFor(socket, 'secureConnect', signal);
  } catch (error) {
    plain.destroy();
    // A peer that expects another protocol closes the connection during the handshake.
    throw (error as { code?: string }).code === 'ECONNRESET'
      ? new NodeFailure('tls', { reason: CLOSED_IN_HANDSHAKE })
      : error;
  }
  return socket;
};
