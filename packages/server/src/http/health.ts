import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import type { Metrics } from '../platform/metrics.ts';
import { createWriteProbe } from './write-probe.ts';

type HealthDeps = {
  db: Db;
  metrics: Metrics;
  /** Present if this process knows the state of the device process. */
  deviceProcessUp?: (() => boolean) | undefined;
  /** Whether device messages can be stored; undefined while the device process is down. */
  recordsWritable: () => boolean | undefined;
  isDraining: () => boolean;
};

const CHECK_MS = 2_000;

const databaseAnswers = async (db: Db): Promise<boolean> => {
  const timeout = new Promise<boolean>((resolve) => setTimeout(resolve, CHECK_MS, false).unref());
  const query = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  );
  return Promise.race([query, timeout]);
};

/** For load balancers and monitoring, which have no token. */
export const mountHealth = (app: FastifyInstance, deps: HealthDeps): void => {
  const { db, metrics, deviceProcessUp, recordsWritable, isDraining } = deps;
  const probe = createWriteProbe(db);
  metrics.showDatabaseWritable(probe);
  const config = { rateLimit: false } as const;
  app.get('/health/live', { config }, async () => ({ status: 'up' }));
  app.get('/health/ready', { config }, async (_request, reply) => {
    const database = await databaseAnswers(db);
    const needed = { database, ...(deviceProcessUp ? { deviceProcess: deviceProcessUp() } : {}) };
    const writable = database && (await probe()) && recordsWritable() !== false;
    const ready = Object.values(needed).every(Boolean) && !isDraining();
    // Reads still work: if the balancer removed every hub, a full disk would become an outage.
    const whenReady = writable ? 'ready' : 'degraded';
    const status = ready ? whenReady : isDraining() ? 'draining' : 'not ready';
    return reply.code(ready ? 200 : 503).send({ status, checks: { ...needed, writable } });
  });
  app.get('/metrics', { config }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.text()),
  );
};
