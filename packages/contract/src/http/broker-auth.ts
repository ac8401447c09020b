import { z } from 'zod';
import { defineCalls } from '../define-call.ts';

const auth = '/api/bucket/auth';

/** Whatever a broker leaves out is nothing, and is judged as that. */
const word = () => z.string().max(1_000).default('');

/**
 * An API key of scope `broker`, for brokers that cannot send it in Authorization. It stands in the address that the
 * broker is given.
 */
const key = { key: word() };

/** EMQX sends what its body template names. */
const emqxClient = { clientid: word(), username: word() };

/** RabbitMQ's names; it sends more of them from version to version. */
const rabbitUser = { username: word(), vhost: word(), ip: word(), tags: word(), client_id: word() };

const ask = { method: 'POST', kind: 'query', access: 'public', forDevices: true, answersFile: true } as const;

/** What the broker of a zone asks before it lets somebody in. Answers are the brokers' own, not the envelope. */
export const brokerAuthCalls = defineCalls({
  emqxAuthenticate: {
    ...ask,
    path: `${auth}/emqx/authenticate`,
    summary: {
      zh_CN: '扩展：EMQX HTTP 认证，需 scope 为 broker 的 API 密钥',
      en_US: "Extension: EMQX's HTTP authenticator asks; with an API key of scope broker",
    },
    input: z.object({ ...key, ...emqxClient, password: word() }),
    output: z.null(),
  },
  emqxAuthorize: {
    ...ask,
    path: `${auth}/emqx/authorize`,
    summary: {
      zh_CN: '扩展：EMQX HTTP 授权，需 scope 为 broker 的 API 密钥',
      en_US: "Extension: EMQX's HTTP authorizer asks; with an API key of scope broker",
    },
    input: z.object({ ...key, ...emqxClient, topic: word(), action: word() }),
    output: z.null(),
  },
  rabbitUser: {
    ...ask,
    path: `${auth}/rabbitmq/user`,
    summary: {
      zh_CN: '扩展：RabbitMQ auth_http.user_path，地址中带 key',
      en_US: "Extension: RabbitMQ's auth_http.user_path, with the key in its address",
    },
    input: z.object({ ...key, ...rabbitUser, password: word() }),
    output: z.null(),
  },
  rabbitVhost: {
    ...ask,
    path: `${auth}/rabbitmq/vhost`,
    summary: {
      zh_CN: '扩展：RabbitMQ auth_http.vhost_path，地址中带 key',
      en_US: "Extension: RabbitMQ's auth_http.vhost_path, with the key in its address",
    },
    input: z.object({ ...key, ...rabbitUser }),
    output: z.null(),
  },
  rabbitResource: {
    ...ask,
    path: `${auth}/rabbitmq/resource`,
    summary: {
      zh_CN: '扩展：RabbitMQ auth_http.resource_path，地址中带 key',
      en_US: "Extension: RabbitMQ's auth_http.resource_path, with the key in its address",
    },
    input: z.object({ ...key, ...rabbitUser, resource: word(), name: word(), permission: word() }),
    output: z.null(),
  },
  rabbitTopic: {
    ...ask,
    path: `${auth}/rabbitmq/topic`,
    summary: {
      zh_CN: '扩展：RabbitMQ auth_http.topic_path，地址中带 key',
      en_US: "Extension: RabbitMQ's auth_http.topic_path, with the key in its address",
    },
    input: z.object({
      ...key,
      ...rabbitUser,
      resource: word(),
      name: word(),
      permission: word(),
      routing_key: word(),
    }),
    output: z.null(),
  },
});
