import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../platform/app-error.ts';
import { assetUrl } from '../platform/locations.ts';
import { answerError } from './error-answer.ts';

const DIST = fileURLToPath(assetUrl('../../console/dist/'));
const NONCE = '__CSP_NONCE__';
const YEAR_SECONDS = 31_536_000;

const readPage = (): string | null => {
  try {
    return readFileSync(join(DIST, 'index.html'), 'utf8');
  } catch {
    return null;
  }
};

/** Serves the built console. Each path that is neither an API call nor a file is a page of it. */
export const mountConsole = async (app: FastifyInstance): Promise<void> => {
  const notFound = (request: FastifyRequest, reply: FastifyReply) =>
    answerError(new AppError('ENDPOINT_NOT_FOUND'), request, reply);
  const page = readPage();
  if (page === null) {
    app.log.warn('console not built; run npm start');
    app.setNotFoundHandler(notFound);
    return;
  }

  const sendPage = (reply: FastifyReply): FastifyReply => {
    const nonce = randomBytes(16).toString('base64');
    const policy = String(reply.getHeader('content-security-policy')).replace(
      /style-src [^;]*/,
      `style-src 'self' 'nonce-${nonce}'`,
    );
    return reply
      .header('Content-Security-Policy', policy)
      .header('Cache-Control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page.replaceAll(NONCE, nonce));
  };

  await app.register(fastifyStatic, {
    root: join(DIST, 'assets'),
    prefix: '/assets/',
    preCompressed: true,
    wildcard: true,
    cacheControl: false,
    setHeaders: (reply) => {
      // File names contain a hash of the content, so a file never changes.
      reply.header('Cache-Control', `public, max-age=${YEAR_SECONDS}, immutable`);
    },
  });
  app.get('/', (_request, reply) => sendPage(reply));
  app.get('/favicon.svg', (_request, reply) => reply.sendFile('favicon.svg', DIST, { cacheControl: false }));
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
    const isApiPath = /^\/(iot-hub|api|assets|health)\//.test(request.url);
    if (wantsPage && !isApiPath) return sendPage(reply);
    return notFound(request, reply);
  });
};
