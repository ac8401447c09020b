import { lookup } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import type { Settings } from '../settings.ts';
import { raced } from '../with-abort.ts';
import { type HttpAnswer, type HttpQuestion, readHttpUrl, requestOver } from './ask-http.ts';
import { isAllowedAddress } from './networks.ts';
import { readHost } from './node-address.ts';
import { NodeFailure, toNodeFailure } from './node-failure.ts';
import { encrypt, openPlain, type Target } from './open-socket.ts';
import { createOwnListeners, type OwnSettings } from './own-listeners.ts';

export type Found = { address: string; family: 4 | 6 };
type Resolve = (host: string) => Promise<Found[]>;
type OutwardSettings = OwnSettings & Pick<Settings, 'NODE_NETWORKS'>;

type Further = {
  /** The ports that the hub listens on, where the settings let it take free ones. */
  ownPorts?: () => (number | null)[];
  /** Looks a name up; the machine's own way unless told. */
  resolve?: Resolve;
};

/** What was done on the way, as each is done. */
export type OpenStep = 'address' | 'connect' | 'tls';

/** A connection that is not there by then will not be. */
const OPEN_WITHIN_MS = 10_000;
/** The next address of a name is tried after these. */
const TRY_NEXT = ['refused', 'unreachable', 'timeout'];

const lookUp: Resolve = async (host) => {
  const found = await lookup(host, { all: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

/**
 * How the hub asks other machines whose addresses people typed in. A name is resolved once, every answer is held
 * against the allowed networks, and the connection is made to the checked address itself: a name server that changes
 * its answer gains nothing.
 */
export const createOutward = (settings: OutwardSettings, { ownPorts = () => [], resolve = lookUp }: Further = {}) => {
  const isOwn = createOwnListeners(settings, ownPorts, resolve);

  const resolved = async (host: string): Promise<Found[]> => {
    const family = isIP(host);
    if (family !== 0) return [{ address: host, family: family === 6 ? 6 : 4 }];
    const found = await resolve(host);
    if (found.length === 0) throw new NodeFailure('nameNotFound', { host });
    return found;
  };

  /** All addresses of a name; one that may not be asked spoils the rest, since nobody knows which the name is for. */
  const findAll = async (host: string, port: number): Promise<Found[]> => {
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new NodeFailure('addressInvalid');
    const found = await resolved(readHost(host));
    for (const { address } of found)
      if (!isAllowedAddress(settings.NODE_NETWORKS, address) || (await isOwn(address, port)))
        throw new NodeFailure('addressForbidden', { address });
    return found;
  };

  const openAny = async (found: Found[], port: number, host: string, signal: AbortSignal): Promise<Socket> => {
    let failure: NodeFailure | undefined;
    for (const { address } of found) {
      try {
        return await openPlain(address, port, signal);
      } catch (error) {
        failure = toNodeFailure(error, { host, port });
        if (signal.aborted || !TRY_NEXT.includes(failure.problem)) break;
      }
    }
    throw failure;
  };

  /** A connection, encrypted where the target says so. It is the caller's to close. */
  const openSocket = async (
    target: Target,
    signal?: AbortSignal,
    done: (step: OpenStep, found: Found[]) => void = () => undefined,
  ): Promise<Socket> => {
    const { host, port } = target;
    const limit = AbortSignal.timeout(OPEN_WITHIN_MS);
    const either = signal ? AbortSignal.any([signal, limit]) : limit;
    try {
      const found = await raced(findAll(host, port), either);
      done('address', found);
      const plain = await openAny(found, port, host, either);
      done('connect', found);
      if (!target.tls) return plain;
      const socket = await encrypt(plain, { ...target, host: readHost(host) }, either);
      done('tls', found);
      return socket;
    } catch (error) {
      throw toNodeFailure(error, target);
    }
  };

  return {
    /** The address that a connection would be made to. */
    async find(host: string, port: number): Promise<Found> {
      try {
        const [first] = await findAll(host, port);
        if (!first) throw new NodeFailure('nameNotFound', { host });
        return first;
      } catch (error) {
        throw toNodeFailure(error, { host, port });
      }
    },

    openSocket,

    /** One question over HTTP, bounded in time and in the size of its answer. */
    async askHttp(question: HttpQuestion): Promise<HttpAnswer> {
      const url = readHttpUrl(question.url);
      const tls = url.protocol === 'https:';
      const at = { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port) || (tls ? 443 : 80) };
      const limit = AbortSignal.timeout(question.timeoutMs);
      const signal = question.signal ? AbortSignal.any([question.signal, limit]) : limit;
      const socket = await openSocket({ ...at, tls, certificate: question.certificate }, signal);
      try {
        return await requestOver(socket, url, question, signal);
      } catch (error) {
        throw toNodeFailure(error, at);
      }
    },
  };
};

export type Outward = ReturnType<typeof createOutward>;
export { NodeFailure } from './node-failure.ts';
export type { NodeCertificate } from './open-socket.ts';
