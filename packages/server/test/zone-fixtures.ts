import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Call } from '@device-center/contract';
import { type Hub, unique } from './hub.ts';

/** Allows the hub to send requests to this machine. */
export const NEAR = { NODE_NETWORKS: 'loopback,private,public' };

export const innerNode = (more: object = {}) => ({
  hostName: 'broker.example.com',
  port: 1883,
  serverType: 1,
  username: 'hub',
  password: 'Broker-pass1',
  ...more,
});

export const outerNode = (more: object = {}) => ({ bucketUrl: 'https://other.example.com', bucketZoneId: 7, ...more });

export const zoneFields = (more: object = {}) => ({
  zoneName: unique('Zone '),
  zoneType: 1,
  routeKey: 'plant/a',
  address: 'mqtt.example.com',
  isSyncModel: 0,
  nodes: JSON.stringify([innerNode()]),
  ...more,
});

/** A registered device in a tenant of its own. */
export const createDeviceIn = async (hub: Hub, zoneId: number) => {
  const tenancyId = await hub.create.tenancy();
  const applicationId = await hub.create.application(tenancyId);
  const productId = await hub.create.product(tenancyId);
  const deviceId = await hub.create.device({ productId, applicationId });
  await hub.db.updateTable('device').set({ zone_id: zoneId }).where('device_id', '=', deviceId).execute();
  return { deviceId, tenancyId };
};

type File = { bytes: Uint8Array; name: string };
type Sender = { url: string; token: string };

const formOf = (fields: Record<string, unknown>, files: Record<string, File>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  for (const [field, { bytes, name }] of Object.entries(files))
    form.set(field, new Blob([Uint8Array.from(bytes)]), name);
  return form;
};

/** Sends fields and files as multipart/form-data. */
export const sendParts = async (
  { url, token }: Sender,
  call: Call,
  fields: Record<string, unknown>,
  files: Record<string, File> = {},
  language = 'en-US',
): Promise<Answer<unknown>> => {
  const body = formOf(fields, files);
  const headers = { Authorization: token, 'Accept-Language': language };
  const response = await fetch(url + call.path, { method: call.method, headers, body });
  const answer = (await response.json()) as Answer<unknown>;
  if (answer.statusCode !== response.status) throw new Error(`${answer.statusCode} under HTTP ${response.status}`);
  return answer;
};

const LINE_PAUSE_MS = 30;

/** The same, with a pause before the last `late` bytes of the body. */
export const sendPartsSlowly = async (
  { url, token }: Sender,
  call: Call,
  fields: Record<string, unknown>,
  files: Record<string, File>,
  late: number,
): Promise<Answer<unknown>> => {
  const body = new Response(formOf(fields, files));
  const type = body.headers.get('content-type') ?? '';
  const bytes = Buffer.from(await body.arrayBuffer());
  const sending = request(url + call.path, {
    method: call.method,
    headers: { Authorization: token, 'Content-Type': type, 'Content-Length': bytes.length },
  });
  const answer = once(sending, 'response') as Promise<[IncomingMessage]>;
  await new Promise((resolve) => sending.write(bytes.subarray(0, -late), resolve));
  await pause(LINE_PAUSE_MS);
  sending.end(bytes.subarray(-late));
  const [response] = await answer;
  return JSON.parse(await text(response)) as Answer<unknown>;
};

/** A certificate authority by openssl, as operators create it. */
export const createAuthority = (folder: string) => {
  const at = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { stdio: 'pipe' });
  const newKey = (name: string): string[] => [
    ...['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-keyout', at(`${name}.key`)],
  ];
  const authority = (name: string): void =>
    openssl('req', '-x509', '-days', '9', ...newKey(name), '-out', at(`${name}.crt`), '-subj', `/CN=${name}`);

  /** Issues a certificate for these names; valid for two days, or between two times (YYYYMMDDhhmmssZ). */
  const issue = (name: string, { names = 'IP:127.0.0.1', from = '', until = '' } = {}): void => {
    openssl('req', ...newKey(name), '-out', at(`${name}.csr`), '-subj', `/CN=${name}`);
    writeFileSync(at(`${name}.ext`), `subjectAltName=${names}\n`);
    const dates = from === '' ? ['-days', '2'] : ['-startdate', from, '-enddate', until];
    const files = ['-in', at(`${name}.csr`), '-out', at(`${name}.crt`), '-extfile', at(`${name}.ext`)];
    openssl('ca', '-batch', '-notext', '-config', at('ca.conf'), ...files, ...dates);
  };
  writeFileSync(
    at('ca.conf'),
    `[ca]
default_ca = own
[own]
new_certs_dir = ${folder}
database = ${at('ca.index')}
rand_serial = yes
certificate = ${at('ca.crt')}
private_key = ${at('ca.key')}
default_md = sha256
policy = any
[any]
commonName = supplied
`,
  );
  writeFileSync(at('ca.index'), '');
  authority('ca');
  return {
    at,
    openssl,
    authority,
    issue,
    read: (name: string): Buffer => readFileSync(at(name)),
  };
};
