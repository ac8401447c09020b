import {
  CODE_OK,
  deviceCodes,
  type Envelope,
  hubRequests,
  type Identity,
  isSystemService,
  MessageType,
  RESPONSE_MESSAGE_MAX,
  type SystemService,
  systemInputs,
  type UpgradeCancel,
  type UpgradeOrder,
} from '@device-center/contract';
import type { ClientState } from './client-state.ts';
import { DeviceError } from './device-error.ts';
import { readPayload } from './envelope.ts';
import { fromBase64 } from './platform.ts';
import type { Maybe, ServiceHandler, Settings, Values } from './types.ts';
import type { Upgrade } from './upgrade/upgrade.ts';

/** `onAcknowledged` runs after the hub has acknowledged the response. */
export type CommandResponse = { code: number; message?: string; payload: string; onAcknowledged?: () => void };

export type Handlers = {
  services: Map<string, ServiceHandler>;
  set?: (properties: Values) => Maybe<Values>;
  get?: (signCodes: string[]) => Maybe<Values>;
  identity: () => Maybe<Identity>;
  transparent?: (bytes: Uint8Array) => Maybe<void>;
};

/** Default behaviour of the protocol's system services. */
export type SystemHandlers = {
  restart: (type: 1 | 2) => void;
  kick: (reason: string, untilTime: number | null) => void;
  changed: (changed: ('model' | 'config')[]) => void;
};

const RESPONSES_CACHED_MAX = 256;

const okResponse = (payload: object, onAcknowledged?: () => void): CommandResponse => ({
  code: CODE_OK,
  payload: JSON.stringify(payload),
  onAcknowledged,
});

const errorResponse = (error: unknown): CommandResponse => {
  const { code } = error instanceof DeviceError ? error : { code: deviceCodes.REFUSED.number };
  const message = (error instanceof Error ? error.message : String(error)).slice(0, RESPONSE_MESSAGE_MAX);
  return { code, message, payload: '{}' };
};

const unsupported = (): DeviceError => new DeviceError('UNSUPPORTED');

type Schema<Output> = { safeParse: (value: unknown) => { success: true; data: Output } | { success: false } };

const parsed = <Output>(schema: Schema<Output>, value: unknown): Output => {
  const result = schema.safeParse(value);
  if (!result.success) throw new DeviceError('MALFORMED');
  return result.data;
};

const withInput =
  <Input>(schema: Schema<Input>, serve: (input: Input) => Maybe<CommandResponse | null>) =>
  (input: Values): Maybe<CommandResponse | null> =>
    serve(parsed(schema, input));

/** Handles the hub's requests to one client. `upgrade` is null when the client does not support upgrades. */
export const createCommandHandler = (
  state: ClientState,
  handlers: Handlers,
  systemHandlers: SystemHandlers,
  upgrade: Upgrade | null,
) => {
  const updateSettings = (settings: Partial<Settings>): CommandResponse => {
    state.settings = { ...state.settings, ...settings };
    state.events.emit('settings', state.settings);
    return okResponse({ output: {} });
  };

  const acceptUpgrade = async (order: UpgradeOrder): Promise<CommandResponse> => {
    if (!upgrade) throw unsupported();
    return okResponse({ output: {} }, await upgrade.order(order));
  };

  const cancelUpgrade = (target: UpgradeCancel): CommandResponse => {
    if (!upgrade) throw unsupported();
    upgrade.cancel(target);
    return okResponse({ output: {} });
  };

  const system: Record<SystemService, (input: Values) => Maybe<CommandResponse | null>> = {
    restart: withInput(systemInputs.restart, ({ type }) =>
      okResponse({ output: {} }, () => systemHandlers.restart(type)),
    ),
    logLevel: withInput(systemInputs.logLevel, ({ logLevel }) => updateSettings({ loggerLevel: logLevel })),
    logSwitch: withInput(systemInputs.logSwitch, ({ logSwitch }) => updateSettings({ realTimePushSwitch: logSwitch })),
    // The kick ended the session: the hub would reject a response.
    kick: withInput(systemInputs.kick, ({ reason, untilTime = null }) => {
      systemHandlers.kick(reason, untilTime);
      return null;
    }),
    ota: withInput(systemInputs.ota, acceptUpgrade),
    otaCancel: withInput(systemInputs.otaCancel, cancelUpgrade),
  };

  const serveService = async (request: Envelope): Promise<CommandResponse | null> => {
    const { service, input } = parsed(hubRequests[MessageType.service], readPayload(request));
    const ownHandler = handlers.services.get(service);
    if (!ownHandler && isSystemService(service)) return system[service](input);
    const handler = ownHandler ?? handlers.services.get('*');
    if (!handler) throw unsupported();
    return okResponse({ output: (await handler(input, service)) ?? {} });
  };

  const serveConfig = async (request: Envelope): Promise<CommandResponse> => {
    const wanted = parsed(hubRequests[MessageType.config], readPayload(request));
    if ('get' in wanted) {
      if (!handlers.get) throw unsupported();
      return okResponse({ properties: await handlers.get(wanted.get) });
    }
    if (!handlers.set) throw unsupported();
    return okResponse({ properties: await handlers.set(wanted.properties) });
  };

  const serveTransparent = async (request: Envelope): Promise<CommandResponse> => {
    if (!handlers.transparent) throw unsupported();
    await handlers.transparent(fromBase64(request.payload));
    return okResponse({});
  };

  const respondTo = async (request: Envelope): Promise<CommandResponse | null> => {
    if (request.type === MessageType.config) return serveConfig(request);
    if (request.type === MessageType.service) return serveService(request);
    if (request.type === MessageType.identity) return okResponse(await handlers.identity());
    if (request.type === MessageType.transparent) return serveTransparent(request);
    throw new DeviceError('TYPE');
  };

  const responses = new Map<string, Promise<CommandResponse | null>>();

  return {
    /** QoS 1 delivers at least once: a repeated request gets the cached response and does not run again. */
    answer: async (request: Envelope): Promise<CommandResponse | null> => {
      if (request.type === MessageType.sync) {
        systemHandlers.changed(parsed(hubRequests[MessageType.sync], readPayload(request)).changed);
        return null;
      }
      const key = `${request.sessionId} ${request.dataId}`;
      const cached = responses.get(key);
      if (cached !== undefined) {
        const response = await cached;
        return response && { ...response, onAcknowledged: undefined };
      }
      const response = respondTo(request).catch(errorResponse);
      responses.set(key, response);
      const [oldest] = responses.keys();
      if (responses.size > RESPONSES_CACHED_MAX && oldest !== undefined) responses.delete(oldest);
      return response;
    },
  };
};
