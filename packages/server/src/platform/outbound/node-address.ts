import { isIP } from 'node:net';
import { inUrl } from '../in-url.ts';
import { NodeFailure } from './node-failure.ts';

const MQTT = new Map([
  ['mqtt', false],
  ['tcp', false],
  ['mqtts', true],
  ['ssl', true],
  ['tls', true],
]);
const HTTP = new Map([
  ['http', false],
  ['https', true],
]);

export type NodeAddress = { host: string; port: number; tls: boolean; path: string };

type AddressFields = { hostName: string; port: number; kind: 'mqtt' | 'http'; tls: boolean };

const DEFAULT_PORTS = { mqtt: [1883, 8883], http: [80, 443] } as const;
/** A name that ends in a number is an address in an obsolete notation: decimal, octal, hexadecimal or short. */
const OLD_NOTATION = /(^|\.)(0x[0-9a-f]*|\d+)$/i;
const NAME = /^(?!-)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/i;

/** Validates a host: an address in the common notation, or a name. */
export const readHost = (written: string): string => {
  const host = written.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (isIP(host) !== 0) return host;
  if (host.length > 253 || !NAME.test(host) || OLD_NOTATION.test(host)) throw new NodeFailure('addressInvalid');
  return host.toLowerCase();
};

/** Parses `[scheme://]host[:port][/path]`; port and TLS default to the node's other fields. */
export const readNodeAddress = ({ hostName, port, kind, tls }: AddressFields): NodeAddress => {
  const [, scheme = '', rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/i.exec(hostName) ?? [];
  const schemes = kind === 'mqtt' ? MQTT : HTTP;
  const byScheme = schemes.get(scheme.toLowerCase());
  if (scheme !== '' && byScheme === undefined) throw new NodeFailure('addressInvalid');
  const bare = isIP(rest) === 6;
  const [, host = '', written, path = ''] = bare
    ? ['', rest]
    : (/^(\[[^\]]*\]|[^:/]*)(?::(\d{1,5}))?(\/.*)?$/.exec(rest) ?? []);
  if (host === '' || (kind === 'mqtt' && path !== '' && path !== '/')) throw new NodeFailure('addressInvalid');
  const encrypted = tls || byScheme === true;
  const chosen = Number(written ?? 0) || port || DEFAULT_PORTS[kind][encrypted ? 1 : 0];
  if (chosen > 65_535) throw new NodeFailure('addressInvalid');
  return { host: readHost(host), port: chosen, tls: encrypted, path: path.replace(/\/+$/, '') };
};

/** Base URL of an HTTP node. */
export const httpBase = ({ host, port, tls, path }: NodeAddress): string =>
  `${tls ? 'https' : 'http'}://${inUrl(host)}:${port}${path}`;

/** Address of another platform: TLS unless the URL is http. */
export const readBucketUrl = (bucketUrl: string): NodeAddress =>
  readNodeAddress({ hostName: bucketUrl, port: 0, kind: 'http', tls: !/^http:\/\//i.test(bucketUrl) });
