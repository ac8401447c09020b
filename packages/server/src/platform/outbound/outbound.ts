import { lookup } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import type { Settings } from '../settings.ts';
import { withAbort } from '../with-abort.ts';
import { isAllowedAddress } from './networks.ts';
import { readHost } from './node-address.ts';
import { NodeFailure, toNodeFailure } from './node-failure.ts';
import { encrypt, openPlain, type Target } from './open-socket.ts';
import { createOwnListeners, type OwnSettings } from './own-listeners.ts';
import { type HttpRequest, type HttpResponse, readHttpUrl, requestOver } from './request-http.ts';

export type ResolvedAddress = { address: string; family: 4 | 6 };
type Resolve = (host: string) => Promise<ResolvedAddress[]>;
type OutboundSettings = OwnSettings & Pick<Settings, 'NODE_NETWORKS'>;

type OutboundOptions = {
  /** The ports that the hub listens on, if the settings let it choose free ones. */
  ownPorts?: () => (number | null)[];
  /** DNS lookup; the system's by default. */
  resolve?: Resolve;
};

/** Steps of opening a connection. */
export type OpenStep = 'address' | 'connect' | 'tls';

/** Time limit for opening a connection. */
const OPEN_TIMEOUT_MS = 10_000;
/** Failures after which the next address of a name is tried. */
const TRY_NEXT_AFTER = ['refused', 'unreachable', 'timeout'];

const lookUp: Resolve = async (host) => {
  const found = await lookup(host, { all: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

/**
 * Connections of the hub to addresses that users enter. A name is resolved once, each result is checked against the
 * allowed networks, and the connection goes to the checked address: a DNS server that changes its answer gains nothing.
 */
export const createOutbound = (
  settings: OutboundSettings,
  { ownPorts = () => [], resolve = lookUp }: OutboundOptions = {},
) => {
  const isOwn = createOwnListeners(settings, ownPorts, resolve);

  const resolved = async (host: string): Promise<ResolvedAddress[]> => {
    const family = isIP(host);
    if (family !== 0) return [{ address: host, family: family === 6 ? 6 : 4 }];
    const found = await resolve(host);
    if (found.length === 0) throw new NodeFailure('nameNotFound', { host });
    return found;
  };

  /**
   * All addresses of a name. A single forbidden one rejects the name, since the hub cannot know which one is intended.
   */
  const findAll = async (host: string, port: number): Promise<ResolvedAddress[]> => {
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new NodeFailure('addressInvalid');
    const found = await resolved(readHost(host));
    for (const { address } of found)
      if (!isAllowedAddress(settings.NODE_NETWORKS, address) || (await isOwn(address, port)))
        throw new NodeFailure('addressForbidden', { address });
    return found;
  };

  const openAny = async (
    found: ResolvedAddress[],
    port: number,
    host: string,
    signal: AbortSignal,
  ): Promise<Socket> => {
    let failure: NodeFailure | undefined;
    for (const { address } of found) {
      try {
        return await openPlain(address, port, signal);
      } catch (error) {
        failure = toNodeFailure(error, { host, port });
        if (signal.aborted || !TRY_NEXT_AFTER.includes(failure.problem)) break;
      }
    }
    throw failure;
  };

  /** Opens a connection, with TLS if the target requires it. The caller closes it. */
  const openSocket = async (
    target: Target,
    signal?: AbortSignal,
    done: (step: OpenStep, found: ResolvedAddress[]) => void = () => undefined,
  ): Promise<Socket> => {
    const { host, port } = target;
    const limit = AbortSignal.timeout(OPEN_TIMEOUT_MS);
    const either = signal ? AbortSignal.any([signal, limit]) : limit;
    try {
      const found = await withAbort(findAll(host, port), either);
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
    /** The address that a connection would use. */
    async find(host: string, port: number): Promise<ResolvedAddress> {
      try {
        const [first] = await findAll(host, port);
        if (!first) throw new NodeFailure('nameNotFound', { host });
        return first;
      } catch (error) {
        throw toNodeFailure(error, { host, port });
      }
    },

    openSocket,

    /** Sends one HTTP request, with limits on time and response size. */
    async requestHttp(options: HttpRequest): Promise<HttpResponse> {
      const url = readHttpUrl(options.url);
      const tls = url.protocol === 'https:';
      const at = { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port) || (tls ? 443 : 80) };
      const limit = AbortSignal.timeout(options.timeoutMs);
      const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
      const socket = await openSocket({ ...at, tls, certificate: options.certificate }, signal);
      try {
        return await requestOver(socket, url, options, signal);
      } catch (error) {
        throw toNodeFailure(error, at);
      }
    },
  };
};

export type Outbound = ReturnType<typeof createOutbound>;
export { NodeFailure } from './node-failure.ts';
export type { NodeCertificate } from './open-socket.ts';
