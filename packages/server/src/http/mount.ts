import {
  type Call,
  type CallTable,
  type Input,
  languageOf,
  mayUse,
  type Output,
  successTexts,
} from '@device-center/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, Context } from '../platform/actor.ts';
import { AppError } from '../platform/app-error.ts';
import type { FileAnswer } from '../platform/file-answer.ts';
import { createInputReader, type UploadedFile } from './parse-input.ts';

type Who<C extends Call> = C['access'] extends 'public' ? Actor | null : Actor;
type Answered<C extends Call> = C extends { answersFile: true } ? FileAnswer : Output<C>;
type FileArgument<C extends Call> = C extends { file: object } ? [upload: UploadedFile] : [];

export type Handler<C extends Call> = (
  context: Context<Who<C>>,
  input: Input<C>,
  ...file: FileArgument<C>
) => Promise<Answered<C>>;

/** A handler for every call of a slice; a missing one does not compile. */
export type Handlers<Calls extends CallTable> = { [Name in keyof Calls]: Handler<Calls[Name]> };

export type Authenticate = (token: string) => Promise<Actor | null>;

export type Mount = <Calls extends CallTable>(slice: string, calls: Calls, handlers: Handlers<Calls>) => void;

type AnyHandler = (context: Context<Actor | null>, input: unknown, upload: UploadedFile | null) => Promise<unknown>;

const tokenOf = (request: FastifyRequest): string =>
  (request.headers.authorization ?? '').replace(/^Bearer /i, '').trim();

const permit = (call: Call, actor: Actor | null): void => {
  if (call.access === 'public') return;
  if (!actor) throw new AppError('TOKEN_INVALID');
  if (actor.firstLogin && !call.duringFirstLogin) throw new AppError('FIRST_LOGIN');
  if (call.access === 'signed-in') return;
  if (!mayUse(call.access, actor.menus) || (call.platformOnly && !actor.platform)) throw new AppError('FORBIDDEN');
};

const answerFile = (reply: FastifyReply, file: FileAnswer): FastifyReply => {
  if (file.download) reply.header('Content-Disposition', `attachment; filename="${file.download}"`);
  return (
    reply
      .header('Content-Type', file.contentType)
      // Whatever an upload holds, it is never run: no sniffing (set for all answers), no scripts, no frames.
      .header('Content-Security-Policy', "default-src 'none'; sandbox")
      .header('Cache-Control', file.download ? 'no-store' : 'private, max-age=86400, immutable')
      .send(Buffer.from(file.bytes))
  );
};

/** Mounts calls as their contract says: authenticate → permit → parse → handle → answer. */
export const createMount =
  (app: FastifyInstance, deps: { authenticate: Authenticate; publicLimit: number }): Mount =>
  (slice, calls, handlers) => {
    for (const [name, call] of Object.entries(calls)) {
      const handler = handlers[name as keyof typeof handlers] as unknown as AnyHandler;
      const read = createInputReader(call);
      const config = call.access === 'public' ? { rateLimit: { max: deps.publicLimit } } : {};
      app.route({
        method: call.method,
        url: call.path,
        ...(call.maxBytes ? { bodyLimit: call.maxBytes } : {}),
        config: { ...config, call: `${slice}.${name}` },
        handler: async (request, reply) => {
          const language = languageOf(request.headers['accept-language']);
          const token = tokenOf(request);
          const actor = token === '' ? null : await deps.authenticate(token);
          permit(call, actor);
          const { input, upload } = await read(request, language);
          const context: Context<Actor | null> = {
            actor,
            language,
            ip: request.ip,
            userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
            requestId: request.id,
            action: `${slice}.${name}`,
          };
          const data = await handler(context, input, upload);
          if (call.answersFile) return answerFile(reply, data as FileAnswer);
          const message = successTexts[call.success ?? 'done'][language];
          return { success: true, statusCode: 200, message, data: data ?? null };
        },
      });
    }
  };
