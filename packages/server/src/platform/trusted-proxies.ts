import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';

type Setting = number | string | false;
type Trust = (address: string, hop: number) => boolean;

/** An IPv4 address that came through an IPv6 socket is shown as IPv4. */
export const unmappedAddress = (address: string | undefined): string =>
  (address ?? '').replace(/^::ffff:(?=\d+\.)/, '');

/** TRUST_PROXY as a function of an address and its distance: a count of proxies, or their addresses. */
export const trustOf = (setting: Setting): Trust => {
  if (typeof setting === 'number') return (_address, hop) => hop < setting;
  return setting === false ? () => false : proxyAddress.compile(setting.split(',').map((part) => part.trim()));
};

/** Matches the addresses listed in TRUST_PROXY; a count lists none. */
export const trustedAddresses = (setting: Setting): ((ip: string) => boolean) => {
  const trust = typeof setting === 'string' ? trustOf(setting) : undefined;
  return (ip) => trust?.(ip, 0) ?? false;
};

/** The client's address of a request that Fastify does not handle, found as Fastify finds it. */
export const createClientAddress = (setting: Setting): ((request: IncomingMessage) => string) => {
  const trust = trustOf(setting);
  return (request) => unmappedAddress(proxyAddress(request, trust));
};
