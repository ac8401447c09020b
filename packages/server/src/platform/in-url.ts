import { isIP } from 'node:net';

/** A host as it stands in an address: one of IPv6 has colons of its own. */
export const inUrl = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);
