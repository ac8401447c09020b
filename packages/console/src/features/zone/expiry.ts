import type { CertificateInfo, ZoneNode } from '@device-center/contract';

const DAY_MS = 86_400_000;
/** Warn this many days before a certificate expires. */
export const WARN_DAYS = 30;

export type Expiry = { kind: 'good' } | { kind: 'notYet' } | { kind: 'over' } | { kind: 'soon'; days: number };

export const expiryOf = (
  { validFrom, validTo }: Pick<CertificateInfo, 'validFrom' | 'validTo'>,
  now: number,
): Expiry => {
  const left = Date.parse(validTo) - now;
  if (left <= 0) return { kind: 'over' };
  if (Date.parse(validFrom) > now) return { kind: 'notYet' };
  return left <= WARN_DAYS * DAY_MS ? { kind: 'soon', days: Math.floor(left / DAY_MS) } : { kind: 'good' };
};

type ExpiringCertificate = { node: ZoneNode; validTo: string; over: boolean };

/** The nodes whose certificate has expired or expires soon. */
export const expiringCertificates = (nodes: readonly ZoneNode[], now: number): ExpiringCertificate[] =>
  nodes.flatMap((node) => {
    if (!node.certificate) return [];
    const { kind } = expiryOf(node.certificate, now);
    return kind === 'over' || kind === 'soon'
      ? [{ node, validTo: node.certificate.validTo, over: kind === 'over' }]
      : [];
  });
