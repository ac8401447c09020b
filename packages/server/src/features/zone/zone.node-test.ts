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
import type { Db } from '../../db/connect.ts';
import { withAudit } from '../../db/with-audit.ts';
import { PLATFORM } from '../../domain/tenant/platform-ids.ts';
import { type NodeSecrets, openNodeSecrets, type ZoneNodeRow } from '../../domain/zone/nodes.ts';
import { BadInput, type UploadedFiles } from '../../http/parse-input.ts';
import type { Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { type NodeAddress, readBucketUrl, readNodeAddress } from '../../platform/outbound/node-address.ts';
import { NodeFailure, toNodeFailure } from '../../platform/outbound/node-failure.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { tryMqtt } from './try-mqtt.ts';
import { readCertificateIsolated } from './zone.certificate-reader.ts';
import { type HttpNode, NODE_TIMEOUT_MS, requestHttpNode } from './zone.node-request.ts';
import { innerTarget, outerTarget, secretErrors, secretsToRepeat } from './zone.nodes.ts';

type TestInput = Input<(typeof zoneCalls)['testZoneNode']>;
type Step = (typeof nodeSteps)[number];
type Deps = { db: Db; secrets: Pick<SecretBox, 'open'>; outbound: Pick<Outbound, 'openSocket' | 'requestHttp'> };
type Node = HttpNode & { kind: 'mqtt' | 'http'; routeKey: string };

/** Added to the result where the address has no scheme, to explain why TLS was used. */
const assumed: Text = {
  zh_CN: '地址未写 http:// 或 https://，按 https 处理',
  en_US: 'the address has no http:// or https://, so https is assumed',
};
/** How a server that expects TLS appears to a client without TLS. */
const MAY_EXPECT_TLS: NodeProblem[] = ['closed', 'protocol', 'timeout'];
/** Problems that only a server with TLS causes. */
const TLS_PROBLEMS: NodeProblem[] = ['certificate', 'certificateName', 'clientCertificate'];
const TLS_TIMEOUT_MS = 3_000;

/** Collects the steps of a test with their durations, and the failure that ended it. */
const createStepLog = (remark: string) => {
  const startedAt = performance.now();
  let last = startedAt;
  const steps: NodeTest['steps'] = [];
  const lapMs = (): number => {
    const ms = Math.round(performance.now() - last);
    last = performance.now();
    return ms;
  };
  return {
    done: (step: Step, note = ''): void => {
      const noted = step === 'address' && remark !== '' ? `${note} (${remark})` : note;
      if (!steps.some((one) => one.step === step)) steps.push({ step, ok: 1, ms: lapMs(), note: noted });
    },
    has: (step: Step): boolean => steps.some((one) => one.step === step),
    end: (failed: { step: Step; failure: NodeFailure } | null, language: Language): NodeTest => {
      const text = failed?.failure.text(language) ?? '';
      const message = text !== '' && remark !== '' ? `${text} (${remark})` : text;
      if (failed) steps.push({ step: failed.step, ok: 0, ms: lapMs(), note: message });
      const problem = failed?.failure.problem ?? null;
      return { ok: failed ? 0 : 1, steps, problem, message, costMs: Math.round(performance.now() - startedAt) };
    },
  };
};

type StepLog = ReturnType<typeof createStepLog>;

const stepsOf = ({ kind, address }: Node): Step[] => [
  'address',
  'connect',
  ...(address.tls ? (['tls'] as const) : []),
  'login',
  ...(kind === 'mqtt' ? (['subscribe', 'publish'] as const) : []),
];

const tlsNote = (socket: Socket): string => (socket instanceof TLSSocket ? (socket.getProtocol() ?? '') : '');

/** The rules of saving a zone; fields are reported without the index that they have in a list of nodes. */
const checkNode = ({ zoneType, ...sent }: TestInput, language: Language): void => {
  const rule = zoneType === ZoneType.inner ? innerNodes : outerNodes;
  const parsed = rule.safeParse([sent], { reportInput: true });
  if (parsed.success) return;
  const issues = parsed.error.issues.map((issue) => ({ ...issue, path: issue.path.slice(1) }));
  const errors: FieldError[] = fieldErrors(issues, language);
  throw new BadInput(errors);
};

const kindOf = ({ zoneType, serverType }: TestInput): Node['kind'] =>
  zoneType === ZoneType.inner && serverType === ServerType.mqtt ? 'mqtt' : 'http';

const assumesHttps = ({ zoneType, bucketUrl = '' }: TestInput): boolean =>
  zoneType === ZoneType.outer && !bucketUrl.includes('://');

const addressOf = (input: TestInput, hasCertificate: boolean): NodeAddress =>
  input.zoneType === ZoneType.inner
    ? readNodeAddress({
        hostName: input.hostName ?? '',
        port: input.port ?? 0,
        kind: kindOf(input),
        tls: input.tls === 1 || hasCertificate,
      })
    : readBucketUrl(input.bucketUrl ?? '');

/** `undefined` for an unusable address: the test reports it before it uses a secret. */
const targetOf = (input: TestInput, hasCertificate: boolean) => {
  const { hostName = '', port = 0, serverType = ServerType.mqtt, tls, bucketUrl = '', bucketZoneId = 0 } = input;
  try {
    return input.zoneType === ZoneType.inner
      ? innerTarget({ hostName, port, serverType, tls }, hasCertificate)
      : outerTarget({ bucketUrl, bucketZoneId });
  } catch (error) {
    if (error instanceof NodeFailure) return undefined;
    throw error;
  }
};

export const createNodeTest = ({ db, secrets, outbound }: Deps) => {
  const NO_SECRETS: NodeSecrets = { password: '', apiKey: '', certificate: undefined };

  const findNode = async (nodeId: string): Promise<ZoneNodeRow | undefined> => {
    if (nodeId === '') return undefined;
    const row = await db.selectFrom('zone_node').selectAll().where('node_id', '=', nodeId).executeTakeFirst();
    if (!row) throw new AppError('ZONE_NODE_NOT_FOUND', {}, 'nodeId');
    return row;
  };

  const secretsOf = async (input: TestInput, files: UploadedFiles, language: Language): Promise<NodeSecrets> => {
    const row = await findNode(input.nodeId);
    const stored = row ? openNodeSecrets(secrets, row) : NO_SECRETS;
    const file = files.get('certificate');
    const password = input.certificatePassword ?? '';
    const sent =
      file && (await readCertificateIsolated({ file, password, field: 'certificate', language })).certificate;
    const certificate = sent ?? (input.removeCertificate === 1 ? undefined : stored.certificate);
    const target = targetOf(input, certificate !== undefined);
    const errors = row && target ? secretErrors(secretsToRepeat(row, target, input), language) : [];
    if (errors.length > 0) throw new BadInput(errors);
    return { password: input.password ?? stored.password, apiKey: input.apiKey ?? stored.apiKey, certificate };
  };

  const open = async (node: Node, stepLog: StepLog, signal: AbortSignal): Promise<Socket> => {
    const { host, port, tls } = node.address;
    const target = { host, port, tls, certificate: node.certificate };
    const socket = await outbound.openSocket(target, signal, (step, found) => {
      if (step !== 'tls') stepLog.done(step, step === 'address' ? found.map(({ address }) => address).join(', ') : '');
    });
    if (tls) stepLog.done('tls', tlsNote(socket));
    return socket;
  };

  const testHttp = async (node: Node, stepLog: StepLog, signal: AbortSignal): Promise<void> => {
    // The connection is tested first and apart, so that its problems are reported with their step.
    (await open(node, stepLog, signal)).destroy();
    stepLog.done('login', `HTTP ${await requestHttpNode(outbound, node, signal)}`);
  };

  const testMqtt = (node: Node, stepLog: StepLog, signal: AbortSignal): Promise<void> =>
    tryMqtt({
      open: () => open(node, stepLog, signal),
      at: node.address,
      account: node,
      routeKey: node.routeKey,
      signal,
      done: stepLog.done,
    });

  const expectsTls = async ({ address: { host, port } }: Node): Promise<boolean> => {
    try {
      const socket = await outbound.openSocket({ host, port, tls: true }, AbortSignal.timeout(TLS_TIMEOUT_MS));
      socket.destroy();
      return true;
    } catch (error) {
      return TLS_PROBLEMS.includes(toNodeFailure(error, { host, port }).problem);
    }
  };

  /** Many servers close a connection without TLS silently: then the test tries TLS to explain the failure. */
  const explainFailure = async (
    failure: NodeFailure,
    node: Node | undefined,
    stepLog: StepLog,
  ): Promise<NodeFailure> => {
    const mayBeTls = node && !node.address.tls && stepLog.has('connect') && MAY_EXPECT_TLS.includes(failure.problem);
    if (!mayBeTls || !(await expectsTls(node))) return failure;
    const { host, port } = node.address;
    return new NodeFailure('tlsExpected', { host, port });
  };

  const run = async (input: TestInput, own: NodeSecrets, language: Language): Promise<NodeTest> => {
    const stepLog = createStepLog(assumesHttps(input) ? assumed[language] : '');
    const signal = AbortSignal.timeout(NODE_TIMEOUT_MS);
    let node: Node | undefined;
    try {
      const address = addressOf(input, own.certificate !== undefined);
      node = {
        ...own,
        address,
        kind: kindOf(input),
        username: input.username,
        routeKey: input.routeKey ?? ROUTE_KEY,
        zoneId: input.zoneType === ZoneType.outer ? input.bucketZoneId : undefined,
      };
      if (node.kind === 'mqtt') await testMqtt(node, stepLog, signal);
      else await testHttp(node, stepLog, signal);
      return stepLog.end(null, language);
    } catch (error) {
      const thrown = toNodeFailure(error, node?.address ?? { host: '', port: 0 });
      const failure = await explainFailure(thrown, node, stepLog);
      const step = (node ? stepsOf(node) : []).find((one) => !stepLog.has(one)) ?? 'address';
      return stepLog.end({ step, failure }, language);
    }
  };

  return {
    async testZoneNode(context: Context, input: TestInput, files: UploadedFiles): Promise<NodeTest> {
      const { language } = context;
      checkNode(input, language);
      const result = await run(input, await secretsOf(input, files, language), language);
      // The test changes nothing, but the hub has contacted another machine, so it is audited.
      await withAudit(db, context, async () => {
        const targetName = (input.zoneType === ZoneType.inner ? input.hostName : input.bucketUrl) ?? '';
        const after = { port: input.port ?? 0, ok: result.ok, problem: result.problem ?? '' };
        return {
          result: null,
          audit: { tenancyId: PLATFORM.tenancyId, targetId: input.nodeId || targetName, targetName, after },
        };
      });
      return result;
    },
  };
};
