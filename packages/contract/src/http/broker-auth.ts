import { z } from 'zod';
import { defineCalls } from '../define-call.ts';

const auth = '/api/bucket/auth';

/** A missing field counts as empty. */
const text = () => z.string().max(1_000).default('');

/**
 * An API key of scope `broker` in the URL, for brokers that cannot send it in Authorization.
 */
const key = { key: text() };

/** EMQX sends the fields of its body template. */
const emqxClient = { clientid: text(), username: text() };

/** RabbitMQ's fields; newer versions send more. */
const rabbitUser = { username: text(), vhost: text(), ip: text(), tags: text(), client_id: text() };

const authCall = { method: 'POST', kind: 'query', access: 'public', forDevices: true, answersFile: true } as const;

/** Authorization requests of zone brokers. Responses have the broker's format, not the envelope. */
export const brokerAuthCalls = defineCalls({
  emqxAuthenticate: {
    ...authCall,
    path: `${auth}/emqx/authenticate`,
    summary: {
      zh_CN: '扩展：EMQX HTTP 认证，需 scope 为 broker 的 API 密钥',
      en_US: 'Extension: HTTP authentication of EMQX; requires an API key of scope broker',
    },
    input: z.object({ ...key, ...emqxClient, password: text() }),
    output: z.null(),
  },
  emqxAuthorize: {
    ...authCall,
    path: `${auth}/emqx/authorize`,
    summary: {
      zh_CN: '扩展：EMQX HTTP 授权，需 scope 为 broker 的 API 密钥',
      en_US: 'Extension: HTTP authorization of EMQX; requires an API key of scope broker',
    },
    input: z.object({ ...key, ...emqxClient, topic: text(), action: text() }),
    output: z.null(),
  },
  rabbitUser: {
    ...authCall,
    path: `${auth}/rabbitmq/user`,
    summary: {
      zh_CN: '扩展：RabbitMQ auth_http.user_path，地址中带 key',
      en_US: 'Extension: auth_http.user_path of RabbitMQ, with the key in the URL',
    },
    input: z.object({ ...key, ...rabbitUser, password: text() }),
    output: z.null(),
  },
  rabbitVhost: {
    ...authCall,
    path: `${auth}/rabbitmq/vhost`,
    summary: {
      zh_CN: '扩展：RabbitMQ auth_http.vhost_path，地址中带 key',
      en_US: 'Extension: auth_http.vhost_path of RabbitMQ, with the key in the URL',
    },
    input: z.object({ ...key, ...rabbitUser }),
    output: z.null(),
  },
  rabbitResource: {
    ...authCall,
    path: `${auth}/rabbitmq/resource`,
    summary: {
      zh_CN: '扩展：RabbitMQ auth_http.resource_path，地址中带 key',
      en_US: 'Extension: auth_http.resource_path of RabbitMQ, with the key in the URL',
    },
    input: z.object({ ...key, ...rabbitUser, resource: text(), name: text(), permission: text() }),
    output: z.null(),
  },
  rabbitTopic: {
    ...authCall,
    path: `${auth}/rabbitmq/topic`,
    summary: {
      zh_CN: '扩展：RabbitMQ auth_http.topic_path，地址中带 key',
      en_US: 'Extension: auth_http.topic_path of RabbitMQ, with the key in the URL',
    },
    input: z.object({
      ...key,
      ...rabbitUser,
      resource: text(),
      name: text(),
      permission: text(),
      routing_key: text(),
    }),
    output: z.null(),
  },
});
