import { deviceCalls } from '@device-center/contract';
import type { Scope } from './scopes.ts';

/** Where the hub answers the brokers of its zones. */
const BROKER_AUTH = '/api/bucket/auth';

/** One line that can be pasted into a shell as it is. */
const curl = (hub: string, key: string): string =>
  `curl -H "Authorization: Bearer ${key}" "${hub}${deviceCalls.queryDeviceList.path}?pageIndex=1&pageSize=10"`;

/** RabbitMQ sends no header of its own, so the key stands in the address. */
const brokerSettings = (hub: string, key: string): string =>
  [
    '# EMQX, HTTP server: POST',
    `${hub}${BROKER_AUTH}/emqx/authenticate`,
    `${hub}${BROKER_AUTH}/emqx/authorize`,
    '',
    '# RabbitMQ, rabbitmq.conf',
    'auth_http.http_method = post',
    ...['user', 'vhost', 'resource', 'topic'].map(
      (asked) => `auth_http.${asked}_path = ${hub}${BROKER_AUTH}/rabbitmq/${asked}?key=${key}`,
    ),
  ].join('\n');

const examples: Record<string, (hub: string, key: string) => string> = { role: curl, broker: brokerSettings };

/** '' where there is nothing to paste. */
export const exampleOf = (scope: Scope, hub: string, key: string): string => examples[scope]?.(hub, key) ?? '';
