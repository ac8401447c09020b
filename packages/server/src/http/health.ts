import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import type { Metrics } from '../platform/metrics.ts';

/** `deviceSideUp`: where the device side is this process's or its neighbour's to know of. */
type HealthDeps = { db: Db; metrics: Metrics; deviceSideUp?: (() => boolean) | undefined };

const CHECK_MS = 2_000;

const databaseAnswers = async (db: Db): Promise<boolean> => {
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, CHECK_MS, false).unref());
  const asked = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  );
  return Promise.race([asked, late]);
};

/** For balancers and monitors: they have no token and need none. */
export const mountHealth = (app: FastifyInstance, { db, metrics, deviceSideUp }: HealthDeps): void => {
  const config = { rateLimit: false } as const;
  app.get('/health/live', { config }, async () => ({ status: 'up' }));
  app.get('/health/ready', { config }, async (_request, reply) => {
    const database = await databaseAnswers(db);
    const checks = { database, ...(deviceSideUp ? { deviceSide: deviceSideUp() } : {}) };
    const ready = Object.values(checks).every(Boolean);
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', checks });
  });
  app.get('/metrics', { config }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.text()),
  );
};
