import { Readable } from 'node:stream';
import {
  type Call,
  type CallTable,
  type Input,
  isDeviceCodeName,
  languageOf,
  type Output,
  successTexts,
} from '@device-center/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { isDatabaseUnavailable } from '../db/errors.ts';
import type { Actor, Context } from '../platform/actor.ts';
import { AppError, DeviceError } from '../platform/app-error.ts';
import type { FileAnswer, RangedFile } from '../platform/file-answer.ts';
import { answerError } from './error-answer.ts';
import { answerStream, createStreams, type EventStream } from './event-stream.ts';
import { createLargeBodies } from './large-body.ts';
import { BadInput, createInputReader, type UploadedFile, type UploadedFiles } from './parse-input.ts';
import { type Authenticate, actorOf, permit, tokenOf } from './permit.ts';
import { answerRanged, contentDisposition, FILE_POLICY } from './range-answer.ts';

type ActorOf<C extends Call> = C['access'] extends 'public' ? Actor | null : Actor;
type Answered<C extends Call> = C extends { answersFile: true }
  ? FileAnswer
  : C extends { answersStream: true }
    ? EventStream
    : Output<C>;
type FurtherArgument<C extends Call> = C extends { file: object }
  ? [upload: UploadedFile]
  : C extends { files: object }
    ? [uploads: UploadedFiles]
    : C extends { answersStream: true }
      ? [abortSignal: AbortSignal]
      : [];

export type Handler<C extends Call> = (
  context: Context<ActorOf<C>>,
  input: Input<C>,
  ...further: FurtherArgument<C>
) => Promise<Answered<C>>;

/** A handler for every call of a slice; a missing one does not compile. */
export type Handlers<Calls extends CallTable> = { [Name in keyof Calls]: Handler<Calls[Name]> };

type MountOptions = {
  /** Throws if the caller may not use these calls at all; runs before the body is read. */
  authorize?: (caller: Pick<Context, 'token'>) => Promise<unknown>;
};

export type Mount = <Calls extends CallTable>(
  slice: string,
  calls: Calls,
  handlers: Handlers<Calls>,
  options?: MountOptions,
) => void;

type AnyHandler = (
  context: Context<Actor | null>,
  input: unknown,
  further: UploadedFile | UploadedFiles | AbortSignal | null,
) => Promise<unknown>;

type MountDeps = { authenticate: Authenticate; publicLimit: number; deviceLimit: number };

/** The context of a request for its handler, for calls and for other routes. */
export const contextOf = <Who extends Actor | null>(
  request: FastifyRequest,
  actor: Who,
  action: string,
): Context<Who> => ({
  actor,
  language: languageOf(request.headers['accept-language']),
  ip: request.ip,
  userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
  requestId: request.id,
  token: tokenOf(request),
  hostname: request.hostname,
  action,
});

const answerWhole = (reply: FastifyReply, file: Exclude<FileAnswer, RangedFile>): FastifyReply => {
  if (file.download) reply.header('Content-Disposition', contentDisposition(file.download));
  const { bytes } = file;
  return (
    reply
      .header('Content-Type', file.contentType)
      // An uploaded file must never be executed: no sniffing (set for all responses), no scripts, no frames.
      .header('Content-Security-Policy', FILE_POLICY)
      .header('Cache-Control', file.download || file.uncacheable ? 'no-store' : 'private, max-age=86400, immutable')
      .send(bytes instanceof Uint8Array ? Buffer.from(bytes) : Readable.from(bytes, { objectMode: false }))
  );
};

/** Converts an error to the device protocol's code. */
const toDeviceError = (error: unknown): unknown => {
  if (error instanceof AppError) {
    if (error.code === 'UNAVAILABLE') return new DeviceError('AWAY');
    if (error.code === 'DATA_CORRUPTED') return Object.assign(new DeviceError('FAULT'), { cause: error });
    return isDeviceCodeName(error.code) ? new DeviceError(error.code) : error;
  }
  if (error instanceof BadInput) return new DeviceError('MALFORMED', error.details[0]?.field);
  if (isDatabaseUnavailable(error)) return new DeviceError('AWAY');
  const { statusCode = 500 } = error as { statusCode?: number };
  if (statusCode === 429) return new DeviceError('TOO_MANY');
  return statusCode === 400 || statusCode === 415 ? new DeviceError('MALFORMED') : error;
};

const limitOf = (call: Call, { publicLimit, deviceLimit }: MountDeps) => {
  if (call.forDevices) return { rateLimit: { max: deviceLimit } };
  return call.access === 'public' ? { rateLimit: { max: publicLimit } } : {};
};

/** Mounts calls as their contract says: authenticate → permit → parse → handle → answer. */
export const createMount = (app: FastifyInstance, deps: MountDeps): Mount => {
  const streams = createStreams(app);
  const largeBodies = createLargeBodies();
  app.addHook('onClose', async () => largeBodies.end());

  const answerFile = (request: FastifyRequest, reply: FastifyReply, file: FileAnswer) =>
    'read' in file ? answerRanged(request, reply, file, streams.open(reply)) : answerWhole(reply, file);

  return (slice, calls, handlers, { authorize } = {}) => {
    for (const [name, call] of Object.entries(calls)) {
      const handler = handlers[name as keyof typeof handlers] as unknown as AnyHandler;
      const read = createInputReader({ slice, name, call }, largeBodies);
      const route: RouteOptions = {
        // Without an explicit HEAD route, Fastify would read the whole file to answer HEAD.
        method: call.answersFile && call.method === 'GET' ? ['GET', 'HEAD'] : call.method,
        url: call.path,
        ...(call.maxBytes ? { bodyLimit: call.maxBytes } : {}),
        ...(call.forDevices
          ? { errorHandler: (error, request, reply) => answerError(toDeviceError(error), request, reply) }
          : {}),
        ...(authorize
          ? { preParsing: async (request: FastifyRequest) => void (await authorize({ token: tokenOf(request) })) }
          : {}),
        config: { ...limitOf(call, deps), call: `${slice}.${name}` },
        handler: async (request, reply) => {
          const actor = await actorOf(call, request, deps.authenticate);
          permit(call, actor);
          const context = contextOf(request, actor, `${slice}.${name}`);
          const { language } = context;
          const { input, upload } = await read(request, language, actor?.tenancyId ?? context.token);
          if (call.answersStream) {
            const abortSignal = streams.open(reply);
            return answerStream(reply, (await handler(context, input, abortSignal)) as EventStream);
          }
          const data = await handler(context, input, upload);
          if (call.answersFile) return answerFile(request, reply, data as FileAnswer);
          const message = successTexts[call.success ?? 'done'][language];
          return { success: true, statusCode: 200, message, data: data ?? null };
        },
      };
      app.route(route);
      if (call.alias) app.route({ ...route, url: call.alias });
    }
  };
};
