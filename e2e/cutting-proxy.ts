import { connect, createServer, type Socket } from 'node:net';

/** A proxy between browser and hub that drops a connection after a given number of uploaded bytes. */
export const startDroppingProxy = async (hubUrl: string) => {
  const { hostname, port } = new URL(hubUrl);
  const open = new Set<Socket>();
  const state = { up: 0, cuts: 0, cutAt: [] as number[] };

  const server = createServer((client) => {
    const hub = connect(Number(port), hostname);
    for (const socket of [client, hub]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        hub.destroy();
      });
    }
    client.on('data', (bytes) => {
      state.up += bytes.length;
      const [next] = state.cutAt;
      if (next === undefined || state.up < next) return;
      state.cutAt.shift();
      state.cuts++;
      for (const socket of open) socket.destroy();
    });
    client.pipe(hub);
    hub.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    /** Drops the next connections after these numbers of bytes. */
    dropAfter: (...bytes: number[]): void => {
      state.cutAt = bytes.map((count) => state.up + count);
    },
    cuts: (): number => state.cuts,
    close: (): Promise<void> => {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};
