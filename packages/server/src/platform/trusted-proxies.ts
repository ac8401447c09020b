import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';

/** The names that TRUST_PROXY knows, as Fastify means them. */
const named: Record<string, string[]> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** An IPv4 address that came through an IPv6 socket is shown as what it is. */
export const plainAddress = (address: string | undefined): string => (address ?? '').replace(/^::ffff:(?=\d+\.)/, '');

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** Which addresses TRUST_PROXY names. A count names none. */
export const trustedAddresses = (setting: number | string | false): ((ip: string) => boolean) => {
  if (typeof setting !== 'string') return () => false;
  const list = new BlockList();
  for (const part of setting.split(',').flatMap((one) => named[one.trim()] ?? one.trim())) {
    const [address = '', bits] = part.split('/');
    const family = familyOf(address);
    list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return (ip) => list.check(ip, familyOf(ip));
};

/** Whose request it is: the last address that no trusted proxy has written, as Fastify finds it for HTTP. */
export const createClientAddress = (setting: number | string | false) => {
  const isTrusted = trustedAddresses(setting);
  const mayPass = (ip: string, hop: number): boolean =>
    typeof setting === 'number' ? hop < setting : setting !== false && isTrusted(ip);
  return ({ headers, socket }: IncomingMessage): string => {
    const forwarded = [headers['x-forwarded-for'] ?? ''].flat().join(',').split(',');
    const hops = [socket.remoteAddress ?? '', ...forwarded.map((one) => one.trim()).reverse()].filter(Boolean);
    const found = hops.findIndex((ip, hop) => !mayPass(plainAddress(ip), hop));
    return plainAddress(found < 0 ? hops.at(-1) : hops[found]);
  };
};
