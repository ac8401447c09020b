import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import {
  type FieldError,
  fieldErrors,
  type Input,
  innerNodes,
  type Language,
  type NodeTest,
  type nodeSteps,
  outerNodes,
  ROUTE_KEY,
  ServerType,
  type Text,
  ZoneType,
  type zoneCalls,
} from '@device-center/contract';
import { change } from '../../db/change.ts';
import type { Db } from '../../db/connect.ts';
import { PLATFORM } from '../../db/platform-ids.ts';
import { type NodeSecrets, openNodeSecrets, type ZoneNodeRow } from '../../db/zone-nodes.ts';
import { BadInput, type UploadedFiles } from '../../http/parse-input.ts';
import type { Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { authorizationOf } from '../../platform/outward/authorization.ts';
import { httpBase, type NodeAddress, readBucketUrl, readNodeAddress } from '../../platform/outward/node-address.ts';
import { NodeFailure, toNodeFailure } from '../../platform/outward/node-failure.ts';
import type { Outward } from '../../platform/outward/outward.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { tryMqtt } from './try-mqtt.ts';
import { readCertificateApart } from './zone.certificate-reader.ts';
import { innerTarget, outerTarget, secretErrors, secretsToRepeat } from './zone.nodes.ts';

type Asked = Input<(typeof zoneCalls)['testZoneNode']>;
type Step = (typeof nodeSteps)[number];
type Deps = { db: Db; secrets: Pick<SecretBox, 'open'>; outward: Pick<Outward, 'openSocket' | 'askHttp'> };
type Node = NodeSecrets & {
  address: NodeAddress;
  kind: 'mqtt' | 'http';
  username: string;
  routeKey: string;
  /** What the zone is called at another platform. */
  zoneId: number | undefined;
};

const WITHIN_MS = 10_000;
const ANSWER_MAX_BYTES = 64 * 1024;
const SYNC_PATH = '/api/bucket/sync';

const statusWords = new Map<number, Text>([
  [401, { zh_CN: '对方不认识该密钥或账号', en_US: 'it does not know the key or account' }],
  [403, { zh_CN: '该密钥不能用于数据同步', en_US: 'the key is not for synchronisation' }],
  [404, { zh_CN: '该地址没有数据同步接口', en_US: 'there is no synchronisation at this address' }],
]);
const otherStatus: Text = { zh_CN: '不是所期望的应答', en_US: 'not the expected answer' };

/** What was gone through, each with its time, and what ended it. */
const createProtocol = () => {
  const began = performance.now();
  let last = began;
  const steps: NodeTest['steps'] = [];
  const take = (): number => {
    const ms = Math.round(performance.now() - last);
    last = performance.now();
    return ms;
  };
  return {
    done: (step: Step, note = ''): void => {
      if (!steps.some((one) => one.step === step)) steps.push({ step, ok: 1, ms: take(), note });
    },
    has: (step: Step): boolean => steps.some((one) => one.step === step),
    end: (failed: { step: Step; failure: NodeFailure } | null, language: Language): NodeTest => {
      const message = failed?.failure.text(language) ?? '';
      if (failed) steps.push({ step: failed.step, ok: 0, ms: take(), note: message });
      const problem = failed?.failure.problem ?? null;
      return { ok: failed ? 0 : 1, steps, problem, message, costMs: Math.round(performance.now() - began) };
    },
  };
};

type Protocol = ReturnType<typeof createProtocol>;

const orderOf = ({ kind, address }: Node): Step[] => [
  'address',
  'connect',
  ...(address.tls ? (['tls'] as const) : []),
  'login',
  ...(kind === 'mqtt' ? (['subscribe', 'publish'] as const) : []),
];

const tlsNote = (socket: Socket): string => (socket instanceof TLSSocket ? (socket.getProtocol() ?? '') : '');

/** The same rules as when it is saved; its fields are named without a place in a list. */
const checkNode = ({ zoneType, ...sent }: Asked, language: Language): void => {
  const rule = zoneType === ZoneType.inner ? innerNodes : outerNodes;
  const parsed = rule.safeParse([sent], { reportInput: true });
  if (parsed.success) return;
  const issues = parsed.error.issues.map((issue) => ({ ...issue, path: issue.path.slice(1) }));
  const errors: FieldError[] = fieldErrors(issues, language);
  throw new BadInput(errors);
};

const kindOf = ({ zoneType, serverType }: Asked): Node['kind'] =>
  zoneType === ZoneType.inner && serverType === ServerType.mqtt ? 'mqtt' : 'http';

const addressOf = (asked: Asked, hasCertificate: boolean): NodeAddress =>
  asked.zoneType === ZoneType.inner
    ? readNodeAddress({
        hostName: asked.hostName ?? '',
        port: asked.port ?? 0,
        kind: kindOf(asked),
        tls: asked.tls === 1 || hasCertificate,
      })
    : readBucketUrl(asked.bucketUrl ?? '');

/** `undefined` where nothing could be asked at the address; the test says why before it uses a secret. */
const targetOf = (asked: Asked, hasCertificate: boolean) => {
  const { hostName = '', port = 0, serverType = ServerType.mqtt, tls, bucketUrl = '', bucketZoneId = 0 } = asked;
  try {
    return asked.zoneType === ZoneType.inner
      ? innerTarget({ hostName, port, serverType, tls }, hasCertificate)
      : outerTarget({ bucketUrl, bucketZoneId });
  } catch (error) {
    if (error instanceof NodeFailure) return undefined;
    throw error;
  }
};

/** Another hub says so; whatever else may be there says nothing of the kind. */
const saysNoZone = (body: Buffer): boolean => {
  try {
    return (JSON.parse(body.toString()) as { data?: { zoneKnown?: unknown } } | null)?.data?.zoneKnown === 0;
  } catch {
    return false;
  }
};

export const createNodeTest = ({ db, secrets, outward }: Deps) => {
  const NOTHING: NodeSecrets = { password: '', apiKey: '', certificate: undefined };

  const findNode = async (nodeId: string): Promise<ZoneNodeRow | undefined> => {
    if (nodeId === '') return undefined;
    const row = await db.selectFrom('zone_node').selectAll().where('node_id', '=', nodeId).executeTakeFirst();
    if (!row) throw new AppError('ZONE_NODE_NOT_FOUND', {}, 'nodeId');
    return row;
  };

  const secretsOf = async (asked: Asked, files: UploadedFiles, language: Language): Promise<NodeSecrets> => {
    const row = await findNode(asked.nodeId);
    const stored = row ? openNodeSecrets(secrets, row) : NOTHING;
    const file = files.get('certificate');
    const password = asked.certificatePassword ?? '';
    const sent = file && (await readCertificateApart({ file, password, field: 'certificate', language })).certificate;
    const certificate = sent ?? (asked.removeCertificate === 1 ? undefined : stored.certificate);
    const target = targetOf(asked, certificate !== undefined);
    const errors = row && target ? secretErrors(secretsToRepeat(row, target, asked), language) : [];
    if (errors.length > 0) throw new BadInput(errors);
    return { password: asked.password ?? stored.password, apiKey: asked.apiKey ?? stored.apiKey, certificate };
  };

  const open = async (node: Node, protocol: Protocol, signal: AbortSignal): Promise<Socket> => {
    const { host, port, tls } = node.address;
    const target = { host, port, tls, certificate: node.certificate };
    const socket = await outward.openSocket(target, signal, (step, found) => {
      if (step !== 'tls') protocol.done(step, step === 'address' ? found.map(({ address }) => address).join(', ') : '');
    });
    if (tls) protocol.done('tls', tlsNote(socket));
    return socket;
  };

  const askHttp = async (node: Node, protocol: Protocol, language: Language, signal: AbortSignal): Promise<void> => {
    // The way there first, so that what is wrong with it is told by its step.
    (await open(node, protocol, signal)).destroy();
    const authorization = authorizationOf(node);
    const answer = await outward.askHttp({
      url: `${httpBase(node.address)}${SYNC_PATH}${node.zoneId === undefined ? '' : `?zoneId=${node.zoneId}`}`,
      method: 'GET',
      headers: { Accept: 'application/json', ...(authorization ? { Authorization: authorization } : {}) },
      certificate: node.certificate,
      timeoutMs: WITHIN_MS,
      maxBytes: ANSWER_MAX_BYTES,
      signal,
    });
    const { status } = answer;
    // Nothing of its contents is told: whoever tests shall not read other machines' pages.
    if (status < 200 || status > 299)
      throw new NodeFailure('httpStatus', { status, reason: (statusWords.get(status) ?? otherStatus)[language] });
    if (saysNoZone(answer.body)) throw new NodeFailure('zoneUnknown', { zoneId: node.zoneId ?? 0 });
    protocol.done('login', `HTTP ${status}`);
  };

  const askMqtt = (node: Node, protocol: Protocol, signal: AbortSignal): Promise<void> =>
    tryMqtt({
      open: () => open(node, protocol, signal),
      at: node.address,
      account: node,
      routeKey: node.routeKey,
      signal,
      done: protocol.done,
    });

  const run = async (asked: Asked, own: NodeSecrets, language: Language): Promise<NodeTest> => {
    const protocol = createProtocol();
    const signal = AbortSignal.timeout(WITHIN_MS);
    let node: Node | undefined;
    try {
      const address = addressOf(asked, own.certificate !== undefined);
      node = {
        ...own,
        address,
        kind: kindOf(asked),
        username: asked.username,
        routeKey: asked.routeKey ?? ROUTE_KEY,
        zoneId: asked.zoneType === ZoneType.outer ? asked.bucketZoneId : undefined,
      };
      if (node.kind === 'mqtt') await askMqtt(node, protocol, signal);
      else await askHttp(node, protocol, language, signal);
      return protocol.end(null, language);
    } catch (error) {
      const failure = toNodeFailure(error, node?.address ?? { host: '', port: 0 });
      const step = (node ? orderOf(node) : []).find((one) => !protocol.has(one)) ?? 'address';
      return protocol.end({ step, failure }, language);
    }
  };

  return {
    async testZoneNode(context: Context, asked: Asked, files: UploadedFiles): Promise<NodeTest> {
      const { language } = context;
      checkNode(asked, language);
      const result = await run(asked, await secretsOf(asked, files, language), language);
      // It changes nothing, but the hub has knocked at somebody's door.
      await change(db, context, async () => {
        const targetName = (asked.zoneType === ZoneType.inner ? asked.hostName : asked.bucketUrl) ?? '';
        const after = { port: asked.port ?? 0, ok: result.ok, problem: result.problem ?? '' };
        return {
          result: null,
          audit: { tenancyId: PLATFORM.tenancyId, targetId: asked.nodeId || targetName, targetName, after },
        };
      });
      return result;
    },
  };
};
