import { syncDeliveryCalls } from '@device-center/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Hub } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { createReceiver } from './sync-fixtures.ts';

let hub: Hub;
beforeAll(async () => {
  hub = await sharedHub();
});
afterAll(() => hub.close());

const deliver = async (key: string, body: string) => {
  const answer = await fetch(hub.url + syncDeliveryCalls.deliverSync.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
    body,
  });
  const { code } = (await answer.json()) as { code: string };
  return [answer.status, code];
};

it.each(['{', '{"items":7}', '{"items":[]}', '{"items":[{"kind":"model"}]}'])(
  'checks the key of %s before its contents',
  async (body) => {
    const { key } = await createReceiver(hub);
    expect(await deliver(`${key.slice(0, -2)}xx`, body)).toEqual([401, 'API_KEY_INVALID']);
    expect(await deliver('', body)).toEqual([401, 'API_KEY_INVALID']);
    expect(await deliver(key, body)).toEqual([400, 'MALFORMED']);
  },
);
