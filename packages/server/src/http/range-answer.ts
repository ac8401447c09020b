import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../platform/app-error.ts';
import type { RangedFile } from '../platform/file-answer.ts';

type Part = { start: number; end: number };

/** Of every file: whatever it holds, it is neither run nor framed. */
export const FILE_POLICY = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox";

/** Signs that RFC 8187 does not let through and encodeURIComponent does. */
const REST = /[!'()*]/g;
const percent = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;

/** For a name of any language: in plain letters for those who know no other, and whole for the rest. */
export const contentDisposition = (name: string): string => {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const whole = encodeURIComponent(name.toWellFormed()).replace(REST, percent);
  return plain === name
    ? `attachment; filename="${name}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
};

/**
 * The part that is asked for; nothing for the whole. Several at once, and what is no range at all, may be ignored
 * (RFC 9110, 14.2).
 */
const partOf = (range: string | undefined, size: number): Part | 'none' | undefined => {
  const [, first, last] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(range ?? '') ?? [];
  if (first === undefined || last === undefined || first + last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'none' : { start: size - length, end: size - 1 };
  }
  const [start, end] = [Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1)];
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'none' : { start, end };
};

const names = (list: string | undefined, etag: string): boolean =>
  (list ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === etag);

/** Answers a file by RFC 9110: whole or a part, to HEAD without its bytes. */
export const answerRanged = async (
  request: FastifyRequest,
  reply: FastifyReply,
  file: RangedFile,
  left: AbortSignal,
): Promise<FastifyReply> => {
  const { headers } = request;
  const etag = `"${file.etag}"`;
  reply.headers({
    ETag: etag,
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-transform',
    'Content-Security-Policy': FILE_POLICY,
  });
  if (names(headers['if-none-match'], etag)) return reply.code(304).send();

  // Whoever has a part of another file gets this one from its beginning.
  const continues = headers['if-range'] === undefined || headers['if-range'] === etag;
  const part = continues && request.method === 'GET' ? partOf(headers.range, file.size) : undefined;
  if (part === 'none') {
    reply.header('Content-Range', `bytes */${file.size}`);
    throw new AppError('RANGE_NOT_SATISFIABLE');
  }
  const { start, end } = part ?? { start: 0, end: file.size - 1 };
  const bytes = request.method === 'HEAD' ? undefined : await file.read({ start, end });
  left.addEventListener('abort', () => bytes?.destroy());
  if (left.aborted) bytes?.destroy();
  if (part) reply.code(206).header('Content-Range', `bytes ${start}-${end}/${file.size}`);
  return reply
    .header('Content-Type', file.contentType)
    .header('Content-Length', end - start + 1)
    .header('Content-Disposition', contentDisposition(file.download))
    .send(bytes);
};
