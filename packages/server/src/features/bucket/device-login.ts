import { timingSafeEqual } from 'node:crypto';
import { type DeviceCodeName, type LoginFields, fields as rules, signLogin } from '@device-center/contract';
import type { Updateable } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { transact, uniqueViolation } from '../../db/errors.ts';
import type { DeviceTable } from '../../db/hub-tables.ts';
import { storedSecret } from '../../db/stored.ts';
import {
  attributeColumns,
  changedAttributeColumns,
  MALFORMED_ATTRIBUTE,
  reportedAttributes,
} from '../../domain/device/attributes.ts';
import { findReserved } from '../../domain/device/ids.ts';
import { versionColumns } from '../../domain/ota/version-keys.ts';
import { acceptsProductSecret } from '../../domain/product/secret.ts';
import { AppError } from '../../platform/app-error.ts';
import { foldCase } from '../../platform/fold-case.ts';
import { hashes } from '../../platform/hashes.ts';
import { digest, newId, newSecret, newToken, nextSequenceId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { Rejection } from '../../records/rejections.ts';

type LoginDeps = {
  db: Db;
  secrets: SecretBox;
  tokenLifeMs: number;
  recordRejection: (rejection: Rejection) => void;
  log: Log;
};

/** Where a login comes from; a child logs in through its gateway. */
export type LoginOrigin = { ip: string; gateway?: { deviceId: string; tenancyId: string } };

export type LoginResult = {
  deviceId: string;
  token: string;
  expireIn: number;
  expiresAt: number;
  tenantId: string;
  sessionId: string;
  deviceSecret?: string;
};

const CLOCK_SKEW_MS = 5 * 60_000;
export const NONCE_MS = 10 * 60_000;
const LOGINS_PER_MINUTE = 10;
const GATEWAY_CHILD = 3;
const REPLACED = 2;
const PRODUCT_SECRET_REJECTED = 'signed with the product secret, which is no longer accepted for this device';

const isEqual = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};

const findProduct = (db: Db, productId: string) =>
  db
    .selectFrom('product')
    .innerJoin('tenancy', 'tenancy.tenancy_id', 'product.tenancy_id')
    .select([
      'product.product_id',
      'product.tenancy_id',
      'product.application_id',
      'product.node_type',
      'product.secret_sealed',
      'product.allow_register',
      'product.allow_md5',
      'tenancy.enabled as tenancy_enabled',
    ])
    .where('product.product_id', '=', productId)
    .executeTakeFirst();

type Product = NonNullable<Awaited<ReturnType<typeof findProduct>>>;

const findDevice = (db: Db, deviceId: string) =>
  db.selectFrom('device').selectAll().where('device_id', '=', deviceId).executeTakeFirst();

type Device = NonNullable<Awaited<ReturnType<typeof findDevice>>>;

class LoginRejectedError extends Error {
  readonly codeName: DeviceCodeName;
  readonly detail: string;

  constructor(codeName: DeviceCodeName, detail = '') {
    super(codeName);
    this.codeName = codeName;
    this.detail = detail;
  }
}

/** Login of devices by HTTP and of children through their gateway, in one transaction. */
export const createDeviceLogin = ({ db, secrets, tokenLifeMs, recordRejection, log }: LoginDeps) => {
  const signedWith = (fields: LoginFields, secret: string): boolean =>
    isEqual(signLogin(hashes, fields.signMethod, secret, fields), fields.signature.toLowerCase());

  /** Checks the signature and returns which secret it was made with. */
  const checkSignature = (fields: LoginFields, product: Product, device: Device | undefined): 'own' | 'product' => {
    if (
      device?.secret_sealed &&
      signedWith(fields, storedSecret(secrets, device.secret_sealed, 'device', device.device_id))
    )
      return 'own';
    if (!signedWith(fields, storedSecret(secrets, product.secret_sealed, 'product', product.product_id)))
      throw new LoginRejectedError('SIGNATURE');
    if (device?.origin_id === '' && !acceptsProductSecret(device, product.allow_register, Date.now()))
      throw new LoginRejectedError('SIGNATURE', PRODUCT_SECRET_REJECTED);
    return 'product';
  };

  const checkState = async (db: Db, product: Product, device: Device | undefined): Promise<string> => {
    if (product.tenancy_enabled === 0) throw new LoginRejectedError('TENANCY_CLOSED');
    if (device?.blacklisted === 1) throw new LoginRejectedError('BLACKLISTED', device.black_reason);
    if (device && device.kicked_until > Date.now())
      throw new LoginRejectedError('KICKED', new Date(device.kicked_until).toISOString());
    const applicationId = device?.application_id ?? product.application_id;
    if (!applicationId) throw new LoginRejectedError('REGISTRATION_CLOSED', 'the product has no default application');
    const application = await db
      .selectFrom('application')
      .select(['enabled', 'deleting'])
      .where('application_id', '=', applicationId)
      .executeTakeFirst();
    if (!application || application.enabled === 0 || application.deleting === 1)
      throw new LoginRejectedError('APPLICATION_DISABLED');
    if (!device && product.allow_register === 0) throw new LoginRejectedError('REGISTRATION_CLOSED');
    return applicationId;
  };

  const useNonce = async (db: Db, { deviceId, nonce }: LoginFields, now: number): Promise<void> => {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('device_nonce')
      .values({ device_id: deviceId, nonce, used_at: now })
      .onConflict((on) =>
        on
          .columns(['device_id', 'nonce'])
          .doUpdateSet({ used_at: now })
          .where('device_nonce.used_at', '<', now - NONCE_MS),
      )
      .executeTakeFirst();
    if (Number(numInsertedOrUpdatedRows ?? 0) === 0) throw new LoginRejectedError('REPLAY');
    const { logins } = await db
      .selectFrom('device_nonce')
      .select((row) => row.fn.countAll<number>().as('logins'))
      .where('device_id', '=', deviceId)
      .where('used_at', '>', now - 60_000)
      .executeTakeFirstOrThrow();
    if (Number(logins) > LOGINS_PER_MINUTE) throw new LoginRejectedError('TOO_MANY');
  };

  const insertDevice = async (db: Db, fields: LoginFields, product: Product, applicationId: string, now: number) => {
    const named = rules.name().safeParse(fields.deviceName);
    const deviceName = named.success ? named.data : fields.deviceId;
    await db
      .insertInto('device')
      .values({
        device_id: fields.deviceId,
        registration_no: nextSequenceId(),
        device_id_key: foldCase(fields.deviceId),
        device_name: deviceName,
        device_name_key: foldCase(deviceName),
        tenancy_id: product.tenancy_id,
        product_id: product.product_id,
        application_id: applicationId,
        ...attributeColumns(),
        version_number: '',
        online: 2,
        parent_id: '',
        mock: 0,
        created_at: now,
        updated_at: now,
      })
      .execute();
    const reserved = await findReserved(db, product.tenancy_id, [fields.deviceId]);
    if (reserved.size > 0)
      throw new LoginRejectedError('AWAY', 'records of the previous device with this ID are still being deleted');
  };

  const changesOf = (fields: LoginFields, secret: string | undefined, now: number): Updateable<DeviceTable> => ({
    updated_at: now,
    sign_method: fields.signMethod,
    reregister_until: 0,
    ...(secret
      ? { secret_sealed: secrets.seal(secret), secret_proven: 0, secret_by_console: 0 }
      : { secret_proven: 1 }),
    ...changedAttributeColumns(
      reportedAttributes({ mac: fields.mac }, (fact) =>
        log.warn({ deviceId: fields.deviceId, fact }, MALFORMED_ATTRIBUTE),
      ),
    ),
    ...(fields.versionNumber ? versionColumns(fields.versionNumber) : {}),
  });

  const logIn = async (db: Db, fields: LoginFields, product: Product, origin: LoginOrigin): Promise<LoginResult> => {
    const now = Date.now();
    const device = await findDevice(db, fields.deviceId);
    if (device && device.product_id !== fields.productId) throw new LoginRejectedError('SIGNATURE');
    // Checked first: a caller without a secret must learn nothing, not even that the product exists.
    const by = checkSignature(fields, product, device);
    // Synchronised devices log in on their own platform; their secrets are not stored here.
    if (device && device.origin_id !== '')
      throw new LoginRejectedError('REGISTRATION_CLOSED', 'managed by another platform');
    if (Math.abs(now - fields.timestamp) > CLOCK_SKEW_MS)
      throw new LoginRejectedError('CLOCK', `${now - fields.timestamp} ms`);
    if (fields.signMethod === 'md5' && product.allow_md5 === 0) throw new LoginRejectedError('MD5_FORBIDDEN');
    if (origin.gateway && (product.node_type !== GATEWAY_CHILD || product.tenancy_id !== origin.gateway.tenancyId))
      throw new LoginRejectedError('NOT_YOUR_CHILD');
    const applicationId = await checkState(db, product, device);
    await useNonce(db, fields, now);
    if (!device) await insertDevice(db, fields, product, applicationId, now);
    const deviceSecret = by === 'product' ? newSecret() : undefined;
    const { numUpdatedRows } = await db
      .updateTable('device')
      .set(changesOf(fields, deviceSecret, now))
      .where('device_id', '=', fields.deviceId)
      // Of two concurrent logins only one gets a device secret: the permission may be valid for a single login.
      .$if(by === 'product', (rows) => rows.where('secret_sealed', '=', device?.secret_sealed ?? ''))
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new LoginRejectedError('TOO_MANY', 'concurrent login of the same device');
    const [token, sessionId] = [newToken(), newId()];
    const expiresAt = now + tokenLifeMs;
    await db
      .updateTable('device_session')
      .set(({ eb }) => ({
        ended: REPLACED,
        // The token stays valid for messages sent until now: a zone broker may still hold some.
        expires_at: eb.case().when('expires_at', '<', now).then(eb.ref('expires_at')).else(now).end(),
        old_expires_at: eb.case().when('old_expires_at', '<', now).then(eb.ref('old_expires_at')).else(now).end(),
      }))
      .where('device_id', '=', fields.deviceId)
      .where('ended', '=', 0)
      .execute();
    await db
      .insertInto('device_session')
      .values({
        session_id: sessionId,
        device_id: fields.deviceId,
        token_hash: digest(token),
        expires_at: expiresAt,
        sign_method: fields.signMethod,
        gateway_id: origin.gateway?.deviceId ?? '',
        created_at: now,
      })
      .execute();
    return {
      deviceId: fields.deviceId,
      token,
      expireIn: Math.floor(tokenLifeMs / 1_000),
      expiresAt,
      tenantId: product.tenancy_id,
      sessionId,
      ...(deviceSecret ? { deviceSecret } : {}),
    };
  };

  const tryLogin = async (fields: LoginFields, product: Product, origin: LoginOrigin): Promise<LoginResult> => {
    try {
      return await transact(db, (db) => logIn(db, fields, product, origin));
    } catch (error) {
      // Two concurrent first logins: the other one has inserted the device.
      if (uniqueViolation(error) === 'device.device_id')
        return await transact(db, (db) => logIn(db, fields, product, origin));
      throw error;
    }
  };

  return {
    async login(fields: LoginFields, origin: LoginOrigin): Promise<LoginResult> {
      const product = await findProduct(db, fields.productId);
      // Rejections of an unknown product belong to no tenant, so they are not recorded.
      if (!product) throw new AppError('SIGNATURE');
      try {
        return await tryLogin(fields, product, origin);
      } catch (error) {
        if (!(error instanceof LoginRejectedError)) throw error;
        const { tenancy_id: tenancyId, product_id: productId } = product;
        recordRejection({
          tenancyId,
          productId,
          deviceId: fields.deviceId,
          cause: error.codeName,
          detail: error.detail,
          place: 'login',
          ip: origin.ip,
        });
        throw new AppError(error.codeName);
      }
    },
  };
};

export type DeviceLogin = ReturnType<typeof createDeviceLogin>;
