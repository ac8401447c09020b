import { plainAddress } from './outbound/networks.ts';

const NETWORK_GROUPS = 4;

/** The key by which callers are counted: an IPv4 address or an IPv6 /64, because one caller has a whole /64. */
export const callerNetwork = (address: string): string => {
  const plain = plainAddress(address) ?? address;
  return plain.includes(':') ? `${plain.split(':').slice(0, NETWORK_GROUPS).join(':')}::/64` : plain;
};
