import type { brokerAuthCalls, Input } from '@device-center/contract';
import { requireApiKey } from '../../domain/user/api-keys.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import type { FileAnswer } from '../../platform/file-answer.ts';
import { type ClientAuthorizerDeps, createClientAuthorizer } from './authorize-client.ts';

type Calls = typeof brokerAuthCalls;
type Caller = Context<Actor | null>;

const answer = (contentType: string, text: string): FileAnswer => ({
  contentType,
  bytes: Buffer.from(text),
  uncacheable: true,
});

const forEmqx = (allowed: boolean): FileAnswer =>
  answer('application/json', JSON.stringify({ result: allowed ? 'allow' : 'deny', is_superuser: false }));

const forRabbit = (allowed: boolean): FileAnswer => answer('text/plain; charset=utf-8', allowed ? 'allow' : 'deny');

/** RabbitMQ's MQTT plugin routes by AMQP, which separates topic levels by dots. */
const amqp = (topic: string): string => topic.replaceAll('/', '.');
const TOPIC_EXCHANGE = 'amq.topic';
const QUEUE = 'mqtt-subscription-';

/** HTTP authorization for zone brokers (EMQX, RabbitMQ). Callers need an API key of scope `broker`. */
export const createBrokerAuth = (deps: ClientAuthorizerDeps) => {
  const authorizer = createClientAuthorizer(deps);
  const requireKey = async ({ token, ip }: Caller, { key }: { key: string }): Promise<void> => {
    await requireApiKey(deps.db, key || token, 'broker', ip);
  };

  const mayAccessResource = async ({ username, resource, name, permission }: Input<Calls['rabbitResource']>) => {
    if (resource === 'exchange')
      return name === TOPIC_EXCHANGE && permission !== 'configure' && authorizer.isKnown(username);
    if (resource !== 'queue') return false;
    // The plugin derives the queue name from the client ID, which is the device ID.
    if (await authorizer.isDevice(username)) return [0, 1, 2].some((qos) => name === `${QUEUE}${username}qos${qos}`);
    return name.startsWith(QUEUE) && authorizer.isKnown(username);
  };

  return {
    async emqxAuthenticate(caller: Caller, input: Input<Calls['emqxAuthenticate']>): Promise<FileAnswer> {
      await requireKey(caller, input);
      return forEmqx(await authorizer.mayConnect(input.clientid, input.username, input.password));
    },

    async emqxAuthorize(caller: Caller, input: Input<Calls['emqxAuthorize']>): Promise<FileAnswer> {
      await requireKey(caller, input);
      const { clientid, username, topic, action } = input;
      if (action !== 'publish' && action !== 'subscribe') return forEmqx(false);
      return forEmqx(await authorizer.mayUse(clientid, username, action, topic));
    },

    async rabbitUser(caller: Caller, input: Input<Calls['rabbitUser']>): Promise<FileAnswer> {
      await requireKey(caller, input);
      return forRabbit(await authorizer.mayConnect(input.client_id || undefined, input.username, input.password));
    },

    async rabbitVhost(caller: Caller, input: Input<Calls['rabbitVhost']>): Promise<FileAnswer> {
      await requireKey(caller, input);
      return forRabbit(await authorizer.isKnown(input.username));
    },

    async rabbitResource(caller: Caller, input: Input<Calls['rabbitResource']>): Promise<FileAnswer> {
      await requireKey(caller, input);
      return forRabbit(await mayAccessResource(input));
    },

    async rabbitTopic(caller: Caller, input: Input<Calls['rabbitTopic']>): Promise<FileAnswer> {
      await requireKey(caller, input);
      const { username, name, permission, routing_key: topic } = input;
      if (name !== TOPIC_EXCHANGE || (permission !== 'write' && permission !== 'read')) return forRabbit(false);
      const action = permission === 'write' ? 'publish' : 'subscribe';
      return forRabbit(await authorizer.mayUse(undefined, username, action, topic, amqp));
    },
  };
};
