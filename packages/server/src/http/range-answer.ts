import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../platform/app-error.ts';
import type { RangedFile } from '../platform/file-answer.ts';

type Part = { start: number; end: number };

/** For every file: its content is neither executed nor framed. */
export const FILE_POLICY = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox";

/** Characters that RFC 8187 requires to be encoded and encodeURIComponent leaves as they are. */
const UNENCODED = /[!'()*]/g;
const percent = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;

/** Header for a file name in any script: an ASCII form for old clients, and the full name in UTF-8. */
export const contentDisposition = (name: string): string => {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encodedName = encodeURIComponent(name.toWellFormed()).replace(UNENCODED, percent);
  return plain === name
    ? `attachment; filename="${name}"`
    : `attachment; filename="${plain}"; filename*=UTF-8''${encodedName}`;
};

/** The requested range; undefined for the whole file. Multiple and malformed ranges may be ignored (RFC 9110, 14.2). */
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

const matchesEtag = (list: string | undefined, etag: string): boolean =>
  (list ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === '*' || tag === etag);

/** Sends a file or a range of it by RFC 9110; HEAD without the body. */
export const answerRanged = async (
  request: FastifyRequest,
  reply: FastifyReply,
  file: RangedFile,
  abortSignal: AbortSignal,
): Promise<FastifyReply> => {
  const { headers } = request;
  const etag = `"${file.etag}"`;
  reply.headers({
    ETag: etag,
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-transform',
    'Content-Security-Policy': FILE_POLICY,
  });
  if (matchesEtag(headers['if-none-match'], etag)) return reply.code(304).send();

  // A client that has a part of another version of the file gets the whole file.
  const continues = headers['if-range'] === undefined || headers['if-range'] === etag;
  const part = continues && request.method === 'GET' ? partOf(headers.range, file.size) : undefined;
  if (part === 'none') {
    reply.header('Content-Range', `bytes */${file.size}`);
    throw new AppError('RANGE_NOT_SATISFIABLE');
  }
  const { start, end } = part ?? { start: 0, end: file.size - 1 };
  const bytes = request.method === 'HEAD' ? undefined : await file.read({ start, end });
  abortSignal.addEventListener('abort', () => bytes?.destroy());
  if (abortSignal.aborted) bytes?.destroy();
  if (part) reply.code(206).header('Content-Range', `bytes ${start}-${end}/${file.size}`);
  return reply
    .header('Content-Type', file.contentType)
    .header('Content-Length', end - start + 1)
    .header('Content-Disposition', contentDisposition(file.download))
    .send(bytes);
};
