import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachEngine } from './engine.ts';
import { unique } from './hub.ts';
import { type InProcessHub, startHub } from './in-process-hub.ts';

describeOnEachEngine(() => {
  const MINUTE = 60_000;
  const HOUR = 60 * MINUTE;
  const DAY = 24 * HOUR;

  let hub: InProcessHub;
  let deviceId: string;

  beforeAll(async () => {
    hub = await startHub();
    const tenancyId = await hub.create.tenancy();
    const applicationId = await hub.create.application(tenancyId);
    deviceId = await hub.create.device({ applicationId, productId: await hub.create.product(tenancyId) });
  });
  afterAll(() => hub.close());

  /** For each kind of row: an expired one, and one that is valid for at least five minutes. */
  const putRows = async (): Promise<void> => {
    const now = Date.now();
    const session = (session_id: string, created: number, used: number) => ({
      session_id,
      token_hash: unique('hash'),
      user_id: '1',
      ip: '',
      user_agent: '',
      created_at: now - created,
      last_used_at: now - used,
    });
    await hub.db
      .insertInto('session')
      .values([
        session('too old', DAY + MINUTE, MINUTE),
        session('unused', 3 * HOUR, 2 * HOUR + MINUTE),
        session('good', DAY - 5 * MINUTE, 2 * HOUR - 5 * MINUTE),
      ])
      .execute();
    const attempt = (attempt_key: string, failed: number) => ({
      attempt_key,
      failures: 1,
      last_failed_at: now - failed,
      blocked_until: 0,
    });
    await hub.db
      .insertInto('login_attempt')
      .values([attempt('forgotten', HOUR + MINUTE), attempt('good', HOUR - 5 * MINUTE)])
      .execute();
    const code = (address_key: string, created: number) => ({
      purpose: 1,
      address_key,
      asker: '',
      code_hash: '',
      tries: 0,
      created_at: now - created,
      checked_at: null,
    });
    await hub.db
      .insertInto('verification_code')
      .values([code('over', 21 * MINUTE), code('good', 15 * MINUTE)])
      .execute();
    const tried = (code_hash: string, created: number) => ({
      ...{ code_hash, network: '192.0.2.1', tries: 1, created_at: now - created },
    });
    await hub.db
      .insertInto('verification_code_try')
      .values([tried('over', 11 * MINUTE), tried('good', 5 * MINUTE)])
      .execute();
    const place = (network: string, age: number) => ({ user_id: '1', network, last_login_at: now - age });
    await hub.db
      .insertInto('login_network')
      .values([place('forgotten', 30 * DAY + MINUTE), place('good', 30 * DAY - 5 * MINUTE)])
      .execute();
    await hub.db
      .insertInto('device_nonce')
      .values([
        { device_id: deviceId, nonce: 'over', used_at: now - 11 * MINUTE },
        { device_id: deviceId, nonce: 'good', used_at: now - 5 * MINUTE },
      ])
      .execute();
    const deviceSession = (session_id: string, created: number, expires: number) => ({
      session_id,
      device_id: deviceId,
      token_hash: unique('hash'),
      expires_at: now + expires,
      sign_method: 'hmacsha256' as const,
      created_at: now - created,
    });
    await hub.db
      .insertInto('device_session')
      .values([
        deviceSession('over', 7 * DAY + MINUTE, -MINUTE),
        deviceSession('named by late messages', 7 * DAY - 5 * MINUTE, -MINUTE),
        deviceSession('still valid', 7 * DAY + MINUTE, HOUR),
      ])
      .execute();
  };

  const left = async () => {
    const { db } = hub;
    const [sessions, attempts, codes, tries, networks, nonces, deviceSessions] = await Promise.all([
      db.selectFrom('session').select('session_id as id').execute(),
      db.selectFrom('login_attempt').select('attempt_key as id').execute(),
      db.selectFrom('verification_code').select('address_key as id').execute(),
      db.selectFrom('verification_code_try').select('code_hash as id').execute(),
      db.selectFrom('login_network').select('network as id').execute(),
      db.selectFrom('device_nonce').select('nonce as id').execute(),
      db.selectFrom('device_session').select('session_id as id').execute(),
    ]);
    const own = new Set(['too old', 'unused', 'forgotten', 'over', 'good', 'named by late messages', 'still valid']);
    const idsOf = (rows: { id: string }[]) => rows.flatMap(({ id }) => (own.has(id) ? [id] : [])).sort();
    return {
      sessions: idsOf(sessions),
      attempts: idsOf(attempts),
      codes: idsOf(codes),
      tries: idsOf(tries),
      networks: idsOf(networks),
      nonces: idsOf(nonces),
      deviceSessions: idsOf(deviceSessions),
    };
  };

  it('deletes expired rows and nothing else, so that no table of temporary rows grows for ever', async () => {
    await putRows();
    for (const job of ['sweep sessions', 'sweep codes', 'sweep login attempts', 'sweep device logins'])
      await hub.process.runJob(job);
    expect(await left()).toEqual({
      sessions: ['good'],
      attempts: ['good'],
      codes: ['good'],
      tries: ['good'],
      networks: ['good'],
      nonces: ['good'],
      deviceSessions: ['named by late messages', 'still valid'],
    });
  });
});
