import { API_KEY_PREFIX, type Call, mayUse } from '@device-center/contract';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../platform/actor.ts';
import { AppError } from '../platform/app-error.ts';

export type Authenticate = (token: string, ip: string) => Promise<Actor | null>;

export const tokenOf = (request: FastifyRequest): string =>
  (request.headers.authorization ?? '').replace(/^Bearer /i, '').trim();

type Guarded = Pick<Call, 'access' | 'duringFirstLogin' | 'platformOnly' | 'requiresUserSession'>;

export const permit = (call: Guarded, actor: Actor | null): void => {
  if (call.access === 'public') return;
  if (!actor) throw new AppError('TOKEN_INVALID');
  if (actor.keyId !== '' && call.requiresUserSession) throw new AppError('USER_SESSION_REQUIRED');
  if (actor.firstLogin && !call.duringFirstLogin) throw new AppError('FIRST_LOGIN');
  if (call.access === 'signed-in') return;
  if (!mayUse(call.access, actor.menus) || (call.platformOnly && !actor.platform)) throw new AppError('FORBIDDEN');
};

/** The caller: a user, an API key, or null if anonymous. */
export const actorOf = async (
  call: Call,
  request: FastifyRequest,
  authenticate: Authenticate,
): Promise<Actor | null> => {
  const token = tokenOf(request);
  // A device token is not a user session; the device calls look it up themselves.
  if (token === '' || call.forDevices) return null;
  // Public calls that do more for a logged-in user do not do so for an API key.
  if (call.access === 'public' && token.startsWith(API_KEY_PREFIX)) return null;
  return authenticate(token, request.ip);
};
