import { isIP } from 'node:net';
import { z } from 'zod';

const port = z.coerce.number<string>().int().min(0).max(65535);

export const readPort = (text: string): number => port.parse(text);

export const readDuration = (text: string): number => {
  const match = /^(\d+)\s*(ms|s|m|h|d)?$/.exec(text.trim());
  if (!match) throw new Error('expected a number with s, m, h or d, such as 2h');
  const unit = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[match[2] ?? 's'] ?? 1_000;
  return Number(match[1]) * unit;
};

export const readUrl = (...protocols: string[]) => {
  return (text: string): string => {
    const url = new URL(text);
    if (!protocols.includes(url.protocol)) throw new Error(`expected a URL with ${protocols.join(' or ')}`);
    return text;
  };
};

export const readCount = (text: string): number => z.coerce.number<string>().int().min(1).parse(text);

export const readBytes = (text: string): number => {
  const match = /^(\d+)\s*([KMGT])?$/i.exec(text.trim());
  if (!match) throw new Error('expected bytes with K, M, G or T, such as 50G');
  return Number(match[1]) * 1024 ** ' KMGT'.indexOf((match[2] ?? ' ').toUpperCase());
};

/** Number of trusted proxies, or their addresses, networks or Fastify's names for networks. */
export const readProxies = (text: string): number | string => {
  if (/^\d+$/.test(text)) return Number(text);
  for (const part of text.split(',').map((one) => one.trim())) {
    const [address = '', bits = '0', ...more] = part.split('/');
    const network = isIP(address) !== 0 && /^\d{1,3}$/.test(bits) && more.length === 0;
    if (!network && !['loopback', 'linklocal', 'uniquelocal'].includes(part))
      throw new Error(`expected a count, or addresses such as 10.0.0.1,10.1.0.0/16; got ${part}`);
  }
  return text;
};
