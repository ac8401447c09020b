import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import {
  type FieldError,
  fieldErrors,
  type Input,
  innerNodes,
  type Language,
  type NodeProblem,
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
import { type NodeAddress, readBucketUrl, readNodeAddress } from '../../platform/outbound/node-address.ts';
import { NodeFailure, toNodeFailure } from '../../platform/outbound/node-failure.ts';
import type { Outward } from '../../platform/outbound/outward.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { tryMqtt } from './try-mqtt.ts';
import { ASK_WITHIN_MS, askHttpNode, type HttpNode } from './zone.ask.ts';
import { readCertificateApart } from './zone.certificate-reader.ts';
import { innerTarget, outerTarget, secretErrors, secretsToRepeat } from './zone.nodes.ts';

type Asked = Input<(typeof zoneCalls)['testZoneNode']>;
type Step = (typeof nodeSteps)[number];
type Deps = { db: Db; secrets: Pick<SecretBox, 'open'>; outward: Pick<Outward, 'openSocket' | 'askHttp'> };
type Node = HttpNode & { kind: 'mqtt' | 'http'; routeKey: string };

/** Said where an address names no scheme, so that nobody wonders why TLS was tried. */
const assumed: Text = {
  zh_CN: '地址未写 http:// 或 https://，按 https 处理',
  en_US: 'no http:// or https:// is written, so https is assumed',
};
/** What a server with TLS does to a client without. */
const WITHOUT_TLS: NodeProblem[] = ['closed', 'protocol', 'timeout'];
const TLS_ANSWERS: NodeProblem[] = ['certificate', 'certificateName', 'clientCertificate'];
const TLS_WITHIN_MS = 3_000;

/** What was gone through, each with its time, and what ended it. */
const createProtocol = (remark: string) => {
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
      const noted = step === 'address' && remark !== '' ? `${note} (${remark})` : note;
      if (!steps.some((one) => one.step === step)) steps.push({ step, ok: 1, ms: take(), note: noted });
    },
    has: (step: Step): boolean => steps.some((one) => one.step === step),
    end: (failed: { step: Step; failure: NodeFailure } | null, language: Language): NodeTest => {
      const words = failed?.failure.text(language) ?? '';
      const message = words !== '' && remark !== '' ? `${words} (${remark})` : words;
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

const assumesHttps = ({ zoneType, bucketUrl = '' }: Asked): boolean =>
  zoneType === ZoneType.outer && !bucketUrl.includes('://');

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

  const askHttp = async (node: Node, protocol: Protocol, signal: AbortSignal): Promise<void> => {
    // The way there first, so that what is wrong with it is told by its step.
    (await open(node, protocol, signal)).destroy();
    protocol.done('login', `HTTP ${await askHttpNode(outward, node, signal)}`);
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

  const speaksTls = async ({ address: { host, port } }: Node): Promise<boolean> => {
    try {
      const socket = await outward.openSocket({ host, port, tls: true }, AbortSignal.timeout(TLS_WITHIN_MS));
      socket.destroy();
      return true;
    } catch (error) {
      return TLS_ANSWERS.includes(toNodeFailure(error, { host, port }).problem);
    }
  };

  /** Many servers with TLS hang up on a client without, and say nothing. */
  const explained = async (failure: NodeFailure, node: Node | undefined, protocol: Protocol): Promise<NodeFailure> => {
    const mayBeTls = node && !node.address.tls && protocol.has('connect') && WITHOUT_TLS.includes(failure.problem);
    if (!mayBeTls || !(await speaksTls(node))) return failure;
    const { host, port } = node.address;
    return new NodeFailure('tlsExpected', { host, port });
  };

  const run = async (asked: Asked, own: NodeSecrets, language: Language): Promise<NodeTest> => {
    const protocol = createProtocol(assumesHttps(asked) ? assumed[language] : '');
    const signal = AbortSignal.timeout(ASK_WITHIN_MS);
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
      else await askHttp(node, protocol, signal);
      return protocol.end(null, language);
    } catch (error) {
      const thrown = toNodeFailure(error, node?.address ?? { host: '', port: 0 });
      const failure = await explained(thrown, node, protocol);
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
