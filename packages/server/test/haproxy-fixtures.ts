import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './broker-fixtures.ts';
import { waitFor } from './mailbox.ts';

const CONFIGURATION = new URL('../../../deploy/haproxy.cfg', import.meta.url);
/** Debian installs HAProxy in a folder that only root has in its PATH. */
const PATH = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`;

export type Backend = { http: number; mqtt: number };

/** deploy/haproxy.cfg with replaced addresses: without containers no name server resolves the hubs. */
const configurationFor = ({ http, mqtt }: Backend, hubs: readonly Backend[]): string => {
  const server = (line: string, index: number): string => {
    const hub = hubs[index];
    if (!hub) throw new Error(`deploy/haproxy.cfg has more hubs than ${hubs.length}`);
    return line
      .replace(/hub\d:8080/, `127.0.0.1:${hub.http}`)
      .replace(/hub\d:1883/, `127.0.0.1:${hub.mqtt}`)
      .replace('check port 8080', `check port ${hub.http}`)
      .replace(' resolvers docker init-addr none', '');
  };
  return readFileSync(CONFIGURATION, 'utf8')
    .replace(/^resolvers docker\n(?: .*\n)*/m, '')
    .replace('bind :8080', `bind 127.0.0.1:${http}`)
    .replace('bind :1883', `bind 127.0.0.1:${mqtt}`)
    .replaceAll(/^ {2}server hub(\d) .*$/gm, (line, number) => server(line, Number(number) - 1));
};

/** The system's HAProxy in front of these hubs, on ports that are chosen first: the hubs announce them to devices. */
export const startHaproxy = async (ports: Backend, hubs: readonly Backend[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'device-center-haproxy-'));
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, configurationFor(ports, hubs));
  const child = spawn('haproxy', ['-db', '-f', file], { env: { PATH }, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      said += bytes.toString();
    });
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = `http://127.0.0.1:${ports.http}`;
  const answers = async (): Promise<true | undefined> => {
    if (child.exitCode !== null) throw new Error(`HAProxy ended:\n${said}`);
    const answer = await fetch(`${url}/health/live`).catch(() => undefined);
    return answer?.ok || undefined;
  };
  await waitFor('HAProxy', answers);
  return {
    url,
    /** The output: servers going down and up, warnings about the configuration. */
    said: (): string => said,
    stop: async (): Promise<void> => {
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
export type Haproxy = Awaited<ReturnType<typeof startHaproxy>>;

export const freePorts = async (): Promise<Backend> => ({ http: await freePort(), mqtt: await freePort() });
