import type { brokerAuthCalls, Input } from '@device-center/contract';
import { requireApiKey } from '../../db/api-keys.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import type { FileAnswer } from '../../platform/file-answer.ts';
import { createClientJudge, type JudgeDeps } from './authorize-client.ts';

type Calls = typeof brokerAuthCalls;
type Caller = Context<Actor | null>;

const answer = (contentType: string, text: string): FileAnswer => ({
  contentType,
  bytes: Buffer.from(text),
  momentary: true,
});

const forEmqx = (allowed: boolean): FileAnswer =>
  answer('application/json', JSON.stringify({ result: allowed ? 'allow' : 'deny', is_superuser: false }));

const forRabbit = (allowed: boolean): FileAnswer => answer('text/plain; charset=utf-8', allowed ? 'allow' : 'deny');

/** RabbitMQ's MQTT plugin routes by AMQP: levels are parted by dots. */
const amqp = (topic: string): string => topic.replaceAll('/', '.');
const TOPIC_EXCHANGE = 'amq.topic';
const QUEUE = 'mqtt-subscription-';

/** What the brokers of zones ask, each in its own words. Only who has a key of scope `broker` is answered. */
export const createBrokerAuth = (deps: JudgeDeps) => {
  const judge = createClientJudge(deps);
  const require = async ({ token, ip }: Caller, { key }: { key: string }): Promise<void> => {
    await requireApiKey(deps.db, key || token, 'broker', ip);
  };

  const mayHave = async ({ username, resource, name, permission }: Input<Calls['rabbitResource']>) => {
    if (resource === 'exchange')
      return name === TOPIC_EXCHANGE && permission !== 'configure' && judge.isKnown(username);
    if (resource !== 'queue') return false;
    // The plugin names the queue of a subscriber by its client id, which a device has but one of.
    if (await judge.isDevice(username)) return [0, 1, 2].some((qos) => name === `${QUEUE}${username}qos${qos}`);
    return name.startsWith(QUEUE) && judge.isKnown(username);
  };

  return {
    async emqxAuthenticate(caller: Caller, input: Input<Calls['emqxAuthenticate']>): Promise<FileAnswer> {
      await require(caller, input);
      return forEmqx(await judge.mayConnect(input.clientid, input.username, input.password));
    },

    async emqxAuthorize(caller: Caller, input: Input<Calls['emqxAuthorize']>): Promise<FileAnswer> {
      await require(caller, input);
      const { clientid, username, topic, action } = input;
      if (action !== 'publish' && action !== 'subscribe') return forEmqx(false);
      return forEmqx(await judge.mayUse(clientid, username, action, topic));
    },

    async rabbitUser(caller: Caller, input: Input<Calls['rabbitUser']>): Promise<FileAnswer> {
      await require(caller, input);
      return forRabbit(await judge.mayConnect(input.client_id || undefined, input.username, input.password));
    },

    async rabbitVhost(caller: Caller, input: Input<Calls['rabbitVhost']>): Promise<FileAnswer> {
      await require(caller, input);
      return forRabbit(await judge.isKnown(input.username));
    },

    async rabbitResource(caller: Caller, input: Input<Calls['rabbitResource']>): Promise<FileAnswer> {
      await require(caller, input);
      return forRabbit(await mayHave(input));
    },

    async rabbitTopic(caller: Caller, input: Input<Calls['rabbitTopic']>): Promise<FileAnswer> {
      await require(caller, input);
      const { username, name, permission, routing_key: topic } = input;
      if (name !== TOPIC_EXCHANGE || (permission !== 'write' && permission !== 'read')) return forRabbit(false);
      const action = permission === 'write' ? 'publish' : 'subscribe';
      return forRabbit(await judge.mayUse(undefined, username, action, topic, amqp));
    },
  };
};
