import { isIP } from 'node:net';

/** A host for use in a URL: IPv6 addresses are bracketed. */
export const inUrl = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);
