import { plainAddress } from './outbound/networks.ts';

const NETWORK_GROUPS = 4;

/** Whom an address stands for where callers are counted: of IPv6 one caller has a whole /64. */
export const callerNetwork = (address: string): string => {
  const plain = plainAddress(address) ?? address;
  return plain.includes(':') ? `${plain.split(':').slice(0, NETWORK_GROUPS).join(':')}::/64` : plain;
};
