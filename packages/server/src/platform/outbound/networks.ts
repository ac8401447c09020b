import { BlockList, isIP } from 'node:net';

type Kind = 'loopback' | 'private' | 'public' | 'never';
type Family = 'ipv4' | 'ipv6';

/** The networks to which the operator allows outbound connections. */
export type Networks = { kinds: ReadonlySet<string>; listed: BlockList };

const KINDS = ['public', 'private', 'loopback'];

const networksOf = (...texts: string[]): BlockList => {
  const list = new BlockList();
  for (const text of texts) addNetwork(list, text);
  return list;
};

const familyOf = (address: string): Family => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

const addNetwork = (list: BlockList, text: string): void => {
  const [address = '', bits, ...more] = text.split('/');
  const maxPrefix = isIP(address) === 6 ? 128 : 32;
  const prefix = bits === undefined ? maxPrefix : Number(bits);
  if (isIP(address) === 0 || more.length > 0 || !/^\d{0,3}$/.test(bits ?? '') || bits === '' || prefix > maxPrefix)
    throw new Error(`expected public, private, loopback, or networks such as 10.0.0.0/8; got ${text}`);
  list.addSubnet(address, prefix, familyOf(address));
};

/** Parses NODE_NETWORKS: names of kinds of networks, and single networks. */
export const readNetworks = (text: string): Networks => {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length === 0) throw new Error('expected public, private, loopback, or networks such as 10.0.0.0/8');
  return {
    kinds: new Set(parts.filter((part) => KINDS.includes(part))),
    listed: networksOf(...parts.filter((part) => !KINDS.includes(part))),
  };
};

const loopback = networksOf('127.0.0.0/8', '::1');
const privates = networksOf(
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '198.18.0.0/15',
  'fc00::/7',
);
/**
 * Never allowed, whatever the settings: unspecified, link-local, multicast, reserved, and the metadata addresses from
 * which clouds serve credentials.
 */
const never = networksOf(
  '0.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '100.100.100.200',
  '168.63.129.16',
  'fd00:ec2::254',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
  // Tunnels, which contain an IPv4 address of the caller's choice.
  '2001::/32',
  '2002::/16',
  '64:ff9b:1::/48',
);
const global6 = networksOf('2000::/3');

/** The eight groups of an IPv6 address in any notation; undefined if it is invalid. */
const groupsOf = (address: string): number[] | undefined => {
  const normalized = URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1);
  if (normalized === undefined) return undefined;
  const [head = '', tail] = normalized.split('::');
  const read = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [before, after] = [read(head), tail === undefined ? [] : read(tail)];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
};

const V4_MAPPED = [0, 0, 0, 0, 0, 0xffff];
const NAT64 = [0x64, 0xff9b, 0, 0, 0, 0];

/** The IPv4 address in a mapped or NAT64 IPv6 address. */
const innerAddress = (groups: number[]): string | undefined => {
  const startsWith = (prefix: number[]): boolean => prefix.every((group, place) => groups[place] === group);
  if (!startsWith(V4_MAPPED) && !startsWith(NAT64)) return undefined;
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
};

/** Normalizes an address for comparison: IPv4-mapped IPv6 becomes IPv4. Undefined if it is invalid. */
export const plainAddress = (address: string): string | undefined => {
  if (isIP(address) === 4) return address;
  if (isIP(address) !== 6) return undefined;
  const groups = groupsOf(address);
  return groups && (innerAddress(groups) ?? groups.map((group) => group.toString(16)).join(':'));
};

const kindOf = (plain: string): Kind => {
  const family = familyOf(plain);
  if (never.check(plain, family)) return 'never';
  if (loopback.check(plain, family)) return 'loopback';
  if (privates.check(plain, family)) return 'private';
  return family === 'ipv4' || global6.check(plain, family) ? 'public' : 'never';
};

export const isLoopback = (plain: string): boolean => loopback.check(plain, familyOf(plain));

export const isAllowedAddress = ({ kinds, listed }: Networks, address: string): boolean => {
  const plain = plainAddress(address);
  if (plain === undefined) return false;
  const kind = kindOf(plain);
  return kind !== 'never' && (kinds.has(kind) || listed.check(plain, familyOf(plain)));
};
