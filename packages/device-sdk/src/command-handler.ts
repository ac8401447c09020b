import {
  ANSWER_WORDS_MAX,
  CODE_OK,
  deviceCodes,
  downRequests,
  type Envelope,
  type Identity,
  isSystemService,
  MessageType,
  type SystemService,
  systemInputs,
  type UpgradeCancel,
  type UpgradeOrder,
} from '@device-center/contract';
import type { Unit } from './client-state.ts';
import { DeviceError } from './device-error.ts';
import { readPayload } from './envelope.ts';
import { fromBase64 } from './runtime.ts';
import type { Maybe, ServiceHandler, Settings, Values } from './types.ts';
import type { Upgrade } from './upgrade/upgrade.ts';

/** `afterwards` runs when the hub has the answer. */
export type Answer = { code: number; message?: string; payload: string; afterwards?: () => void };

export type Handlers = {
  services: Map<string, ServiceHandler>;
  set?: (properties: Values) => Maybe<Values>;
  get?: (signCodes: string[]) => Maybe<Values>;
  identity: () => Maybe<Identity>;
  transparent?: (bytes: Uint8Array) => Maybe<void>;
};

/** What the hub's own services do where nobody has said otherwise. */
export type SystemHandlers = {
  restart: (type: 1 | 2) => void;
  kick: (reason: string, untilTime: number | null) => void;
  changed: (changed: ('model' | 'config')[]) => void;
};

const REMEMBERED = 256;

const done = (payload: object, afterwards?: () => void): Answer => ({
  code: CODE_OK,
  payload: JSON.stringify(payload),
  afterwards,
});

const noOf = (error: unknown): Answer => {
  const { code } = error instanceof DeviceError ? error : { code: deviceCodes.REFUSED.number };
  const message = (error instanceof Error ? error.message : String(error)).slice(0, ANSWER_WORDS_MAX);
  return { code, message, payload: '{}' };
};

const unsupported = (): DeviceError => new DeviceError('UNSUPPORTED');

type Schema<Output> = { safeParse: (value: unknown) => { success: true; data: Output } | { success: false } };

const parsed = <Output>(schema: Schema<Output>, value: unknown): Output => {
  const result = schema.safeParse(value);
  if (!result.success) throw new DeviceError('MALFORMED');
  return result.data;
};

const servedBy =
  <Input>(schema: Schema<Input>, serve: (input: Input) => Maybe<Answer | null>) =>
  (input: Values): Maybe<Answer | null> =>
    serve(parsed(schema, input));

/** Answers what the hub asks of one unit. `upgrade`: nothing where it cannot be upgraded. */
export const createServing = (unit: Unit, handlers: Handlers, conduct: SystemHandlers, upgrade: Upgrade | null) => {
  const keep = (settings: Partial<Settings>): Answer => {
    unit.settings = { ...unit.settings, ...settings };
    unit.events.emit('settings', unit.settings);
    return done({ output: {} });
  };

  const takeOrder = async (order: UpgradeOrder): Promise<Answer> => {
    if (!upgrade) throw unsupported();
    return done({ output: {} }, await upgrade.order(order));
  };

  const cancelOrder = (named: UpgradeCancel): Answer => {
    if (!upgrade) throw unsupported();
    upgrade.cancel(named);
    return done({ output: {} });
  };

  const system: Record<SystemService, (input: Values) => Maybe<Answer | null>> = {
    restart: servedBy(systemInputs.restart, ({ type }) => done({ output: {} }, () => conduct.restart(type))),
    logLevel: servedBy(systemInputs.logLevel, ({ logLevel }) => keep({ loggerLevel: logLevel })),
    logSwitch: servedBy(systemInputs.logSwitch, ({ logSwitch }) => keep({ realTimePushSwitch: logSwitch })),
    // Its session has ended: an answer would be refused.
    kick: servedBy(systemInputs.kick, ({ reason, untilTime = null }) => {
      conduct.kick(reason, untilTime);
      return null;
    }),
    ota: servedBy(systemInputs.ota, takeOrder),
    otaCancel: servedBy(systemInputs.otaCancel, cancelOrder),
  };

  const serveService = async (request: Envelope): Promise<Answer | null> => {
    const { service, input } = parsed(downRequests[MessageType.service], readPayload(request));
    const own = handlers.services.get(service);
    if (!own && isSystemService(service)) return system[service](input);
    const handler = own ?? handlers.services.get('*');
    if (!handler) throw unsupported();
    return done({ output: (await handler(input, service)) ?? {} });
  };

  const serveConfig = async (request: Envelope): Promise<Answer> => {
    const wanted = parsed(downRequests[MessageType.config], readPayload(request));
    if ('get' in wanted) {
      if (!handlers.get) throw unsupported();
      return done({ properties: await handlers.get(wanted.get) });
    }
    if (!handlers.set) throw unsupported();
    return done({ properties: await handlers.set(wanted.properties) });
  };

  const serveTransparent = async (request: Envelope): Promise<Answer> => {
    if (!handlers.transparent) throw unsupported();
    await handlers.transparent(fromBase64(request.payload));
    return done({});
  };

  const answerTo = async (request: Envelope): Promise<Answer | null> => {
    if (request.type === MessageType.config) return serveConfig(request);
    if (request.type === MessageType.service) return serveService(request);
    if (request.type === MessageType.identity) return done(await handlers.identity());
    if (request.type === MessageType.transparent) return serveTransparent(request);
    throw new DeviceError('TYPE');
  };

  const answers = new Map<string, Promise<Answer | null>>();

  return {
    /** The same request again (QoS 1 delivers at least once) gets the same answer, and is not carried out again. */
    answer: async (request: Envelope): Promise<Answer | null> => {
      if (request.type === MessageType.sync) {
        conduct.changed(parsed(downRequests[MessageType.sync], readPayload(request)).changed);
        return null;
      }
      const key = `${request.sessionId} ${request.dataId}`;
      const known = answers.get(key);
      if (known !== undefined) {
        const given = await known;
        return given && { ...given, afterwards: undefined };
      }
      const answer = answerTo(request).catch(noOf);
      answers.set(key, answer);
      const [oldest] = answers.keys();
      if (answers.size > REMEMBERED && oldest !== undefined) answers.delete(oldest);
      return answer;
    },
  };
};
