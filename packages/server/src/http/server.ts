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
    /** The contract's name of the call that is mounted here. */
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

const markAnswer = (request: FastifyRequest, reply: FastifyReply): void => {
  reply.header('X-Request-Id', request.id);
  // Answers are for their caller alone; pages and files that may be kept say so themselves.
  reply.header('Cache-Control', 'no-store');
};

/** Fastify with everything that holds for all calls: limits, headers, request ids, logs, metrics, errors. */
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
    // Without a proxy Fastify skips the forwarded headers altogether.
    trustProxy: settings.TRUST_PROXY === false ? false : trustOf(settings.TRUST_PROXY),
    bodyLimit: INPUT_BYTES,
    // Requests have a limit of their own, which uploads are let off; Node's holds for headers.
    requestTimeout: 0,
    // Requests in flight finish; connections that only wait are closed.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true },
    // An address that cannot even be decoded passes no hook and no handler of ours.
    frameworkErrors: (_error, request, reply) => {
      markAnswer(request, reply);
      answerError(new AppError('ENDPOINT_NOT_FOUND'), request, reply);
    },
  });

  // Fastify reads plain text by itself; no call takes any, and what was sent must not count as nothing.
  app.removeContentTypeParser('text/plain');

  // Clients that set the header on every call send DELETE with nothing behind it.
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
    if (error instanceof AppError && error.code.startsWith('QUOTA_')) metrics.countQuotaRefusal(error.code);
    return answerError(error, request, reply);
  });
  drainOnClose(app, isDraining);
  limitRequestTime(app);

  await app.register(helmet, {
    contentSecurityPolicy,
    // Whoever says that people come by HTTPS means that they should not come by anything else.
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

  app.addHook('onRequest', async (request, reply) => markAnswer(request, reply));
  app.addHook('onResponse', async (request, reply) => {
    const { call } = request.routeOptions.config;
    if (!call) return;
    const seconds = reply.elapsedTime / 1_000;
    metrics.observeRequest(call, reply.statusCode, seconds);
    request.log.info({ call, status: reply.statusCode, ms: Math.round(reply.elapsedTime), ip: request.ip }, 'call');
  });
  return app;
};
