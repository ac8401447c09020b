import { deviceCalls } from '@device-center/contract';
import type { Scope } from './scopes.ts';

/** The hub's endpoints for the authentication requests of zone brokers. */
const BROKER_AUTH = '/api/bucket/auth';

/** A single line, ready to paste into a shell. */
const curl = (hub: string, key: string): string =>
  `curl -H "Authorization: Bearer ${key}" "${hub}${deviceCalls.queryDeviceList.path}?pageIndex=1&pageSize=10"`;

/** RabbitMQ cannot send a custom header, so the key is part of the URL. */
const brokerSettings = (hub: string, key: string): string =>
  [
    '# EMQX, HTTP server: POST',
    `${hub}${BROKER_AUTH}/emqx/authenticate`,
    `${hub}${BROKER_AUTH}/emqx/authorize`,
    '',
    '# RabbitMQ, rabbitmq.conf',
    'auth_http.http_method = post',
    ...['user', 'vhost', 'resource', 'topic'].map(
      (endpoint) => `auth_http.${endpoint}_path = ${hub}${BROKER_AUTH}/rabbitmq/${endpoint}?key=${key}`,
    ),
  ].join('\n');

const examples: Record<string, (hub: string, key: string) => string> = { role: curl, broker: brokerSettings };

/** Empty for scopes without an example. */
export const exampleOf = (scope: Scope, hub: string, key: string): string => examples[scope]?.(hub, key) ?? '';
