import type { FastifyInstance } from 'fastify';
import type { Db } from './db/connect.ts';
import { deviceProcessAddress, pipeDeviceWebSockets } from './http/device-websocket.ts';
import { mountHealth } from './http/health.ts';
import { createHttpServer } from './http/server.ts';
import { ListenError } from './platform/listen-error.ts';
import type { createLog } from './platform/log.ts';
import { createMetrics, type DeviceStats, isWritable } from './platform/metrics.ts';
import type { Settings } from './platform/settings.ts';

type DeviceHttpDeps = {
  settings: Settings;
  log: ReturnType<typeof createLog>;
  db: Db;
  deviceSocket: string | undefined;
  stats: () => DeviceStats;
  isDraining: () => boolean;
};

/** The HTTP port of a device process that runs without an admin process: health, metrics and MQTT over WebSocket. */
export const openDeviceHttp = async ({
  settings,
  log,
  db,
  deviceSocket,
  stats,
  isDraining,
}: DeviceHttpDeps): Promise<FastifyInstance> => {
  const metrics = createMetrics();
  metrics.showDevices(stats);
  const app = await createHttpServer({ settings, log, metrics, isDraining });
  mountHealth(app, { db, metrics, recordsWritable: () => isWritable(stats()), isDraining });
  pipeDeviceWebSockets(app, {
    deviceProcess: deviceProcessAddress(deviceSocket, undefined),
    trustProxy: settings.TRUST_PROXY,
    log,
  });
  await app
    .listen({ host: settings.HOST, port: settings.PORT })
    .catch((error: unknown) => Promise.reject(new ListenError('PORT', settings.PORT, error)));
  return app;
};
