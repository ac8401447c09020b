import { randomBytes } from 'node:crypto';
import { INPUT_BYTES } from '@device-center/contract';
import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import { AppError } from '../platform/app-error.ts';
import { callerNetwork } from '../platform/caller-network.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Settings } from '../platform/settings.ts';
import { trustOf } from '../platform/trusted-proxies.ts';
import { drainOnClose } from './drain.ts';
import { answerError } from './error-answer.ts';
import { LARGE_BODY_BYTES, LargeBody } from './large-body.ts';
import { limitRequestTime } from './request-deadline.ts';
import { parseForm } from './validate-input.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The call of the contract at this route. */
    call?: string;
  }
}

type ServerDeps = {
  settings: Pick<Settings, 'TRUST_PROXY' | 'RATE_LIMIT' | 'PUBLIC_URL'>;
  log: Logger;
  metrics: Metrics;
  isDraining: () => boolean;
};

const YEAR_SECONDS = 31_536_000;

const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'blob:', 'data:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    manifestSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
};

const setHeaders = (request: FastifyRequest, reply: FastifyReply): void => {
  reply.header('X-Request-Id', request.id);
  // Responses are private; pages and files that may be cached override this.
  reply.header('Cache-Control', 'no-store');
};

/** Creates Fastify with what applies to all calls: limits, headers, request ids, logs, metrics, errors. */
export const createHttpServer = async ({
  settings,
  log,
  metrics,
  isDraining,
}: ServerDeps): Promise<FastifyInstance> => {
  const app: FastifyInstance = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomBytes(9).toString('base64url'),
    // Without a proxy Fastify ignores forwarded headers.
    trustProxy: settings.TRUST_PROXY === false ? false : trustOf(settings.TRUST_PROXY),
    bodyLimit: INPUT_BYTES,
    // The hub limits request time itself and exempts uploads; Node's limit applies to headers.
    requestTimeout: 0,
    // Requests in flight complete; idle connections are closed.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true },
    // A URL that cannot be decoded bypasses all hooks and handlers.
    frameworkErrors: (_error, request, reply) => {
      setHeaders(request, reply);
      answerError(new AppError('ENDPOINT_NOT_FOUND'), request, reply);
    },
  });

  // No call accepts plain text, which Fastify parses by default: the body would be ignored silently.
  app.removeContentTypeParser('text/plain');

  // Some clients set the Content-Type also on DELETE requests without a body.
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else if (body.length > LARGE_BODY_BYTES) done(null, new LargeBody(body, 'json'));
    else void parseJson(request, body, done);
  });

  app.addContentTypeParser<string>('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body.length > LARGE_BODY_BYTES ? new LargeBody(body, 'form') : parseForm(body)),
  );

  app.setErrorHandler((error, request, reply) => {
    if (error instanceof AppError && error.code.startsWith('QUOTA_')) metrics.countQuotaRejection(error.code);
    return answerError(error, request, reply);
  });
  drainOnClose(app, isDraining);
  limitRequestTime(app);

  await app.register(helmet, {
    contentSecurityPolicy,
    // With an https PUBLIC_URL, browsers should use HTTPS only.
    strictTransportSecurity: settings.PUBLIC_URL?.startsWith('https:')
      ? { maxAge: YEAR_SECONDS, includeSubDomains: false }
      : false,
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  });
  await app.register(rateLimit, {
    max: settings.RATE_LIMIT,
    timeWindow: 60_000,
    keyGenerator: ({ ip }: FastifyRequest) => callerNetwork(ip),
  });
  await app.register(multipart);

  app.addHook('onRequest', async (request, reply) => setHeaders(request, reply));
  app.addHook('onResponse', async (request, reply) => {
    const { call } = request.routeOptions.config;
    if (!call) return;
    const seconds = reply.elapsedTime / 1_000;
    metrics.observeRequest(call, reply.statusCode, seconds);
    request.log.info({ call, status: reply.statusCode, ms: Math.round(reply.elapsedTime), ip: request.ip }, 'call');
  });
  return app;
};
