import type { Bucket } from '@device-center/contract';

const ORIGIN = /^(https?):\/\/(\[[^\]]+\]|[^/:]+)(?::(\d+))?/;

/** Replaces the bucket's address by the hub's own: a page may be allowed to connect nowhere else. */
export const bucketViaHub =
  (hubUrl: string) =>
  (bucket: Bucket): Bucket => {
    const [, scheme, host, port] = ORIGIN.exec(hubUrl) ?? [];
    if (!scheme || !host || bucket.path === '') return bucket;
    const tls = scheme === 'https';
    return { ...bucket, protocol: tls ? 'wss' : 'ws', tls, host, port: Number(port ?? (tls ? 443 : 80)) };
  };

/** Replaces the address of the hub's own download links by the address at which the page reached the hub. */
export const downloadViaHub =
  (hubUrl: string) =>
  (url: string): string => {
    const [origin] = ORIGIN.exec(url) ?? [];
    const path = origin === undefined ? url : url.slice(origin.length);
    return path.startsWith('/api/bucket/') ? `${hubUrl.replace(/\/+$/, '')}${path}` : url;
  };
