import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { prepareEnvironment } from './environment.ts';
import { createHub, type SpawnedHub } from './hub.ts';
import { startHubProcess } from './hub-process.ts';

/** Makes the database unavailable. */
export type Outage = {
  hub: SpawnedHub;
  begin: () => Promise<void>;
  end: () => Promise<void>;
  close: () => Promise<void>;
};

/** SQLite: another connection holds the write lock of the file. */
export const lockedFile = (hub: SpawnedHub, file: 'hub.db' | 'records.db'): Outage => {
  const holder = new DatabaseSync(join(hub.env.DATA_DIR ?? '', file), { timeout: 5_000 });
  return {
    hub,
    begin: async () => holder.exec('begin immediate'),
    end: async () => holder.exec('rollback'),
    close: async () => holder.close(),
  };
};

/** `stall` passes no more bytes without closing or rejecting connections; `speakAgain` ends that for new ones. */
export type DatabaseProxy = Outage & { stall: () => void; endStall: () => void };

/**
 * PostgreSQL: a hub behind a proxy to its database that can drop and reject connections. The test's own connection does
 * not use it. `more`: options in the hub's database URL, which override the hub's own.
 */
export const spawnBehindProxy = async (more: Record<string, string> = {}): Promise<DatabaseProxy> => {
  const environment = await prepareEnvironment();
  const url = new URL(environment.env.DATABASE_URL ?? '');
  const target = { host: url.hostname, port: Number(url.port || 5432) };
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    return socket.on('close', () => sockets.delete(socket));
  };
  let port = 0;
  let server = createServer();
  let silent = false;
  const begin = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const end = async (): Promise<void> => {
    server = createServer((client) => {
      if (silent) {
        keep(client);
        return;
      }
      const far = keep(connect(target));
      keep(client).pipe(far).pipe(client);
      client.on('close', () => far.destroy());
      far.on('close', () => client.destroy());
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const address = server.address();
    if (address !== null && typeof address === 'object') port = address.port;
  };
  await end();
  url.hostname = '127.0.0.1';
  url.port = String(port);
  for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value);
  const launch = (env: Record<string, string>) => startHubProcess({ ...env, DATABASE_URL: url.href });
  const hub = await createHub({ first: launch, again: launch }, {}, Promise.resolve(environment));
  const stall = (): void => {
    silent = true;
    for (const socket of sockets) socket.unpipe().pause();
  };
  const endStall = (): void => {
    silent = false;
  };
  return { hub, begin, end, close: begin, stall, endStall };
};
