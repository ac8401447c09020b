import {
  CodePurpose,
  containsAccount,
  type Input,
  type Language,
  type Output,
  type personalCalls,
} from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { uniqueViolation } from '../../db/errors.ts';
import type { UserAccountTable } from '../../db/hub-tables.ts';
import { storedJson } from '../../db/stored.ts';
import { withAudit } from '../../db/with-audit.ts';
import { addPicture, readPicture, removePictures } from '../../domain/picture/pictures.ts';
import { findProfile, imagePath } from '../../domain/user/profile.ts';
import { removeUsers } from '../../domain/user/users.ts';
import type { UploadedFile } from '../../http/parse-input.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { FileAnswer } from '../../platform/file-answer.ts';
import { foldCase } from '../../platform/fold-case.ts';
import { hashPassword } from '../../platform/passwords.ts';
import { reencodePicture } from '../../platform/picture.ts';
import { iso, isoOrNull } from '../../platform/time.ts';
import type { LoginThrottle } from '../account/login-throttle.ts';
import type { OwnPassword } from '../account/own-password.ts';
import type { CodeKey, CodeService } from '../code/code.service.ts';
import type { AddressChange, Message } from '../outbox/messages.ts';
import type { OutboxService } from '../outbox/outbox.service.ts';
import type { SessionService } from '../session/session.service.ts';

type PersonalDeps = {
  db: Db;
  codes: Pick<CodeService, 'check' | 'useUp' | 'useProof'>;
  sessions: Pick<SessionService, 'list' | 'end' | 'endOfUser'>;
  throttle: Pick<LoginThrottle, 'beginRecovery' | 'endRecovery'>;
  ownPassword: OwnPassword;
  outbox: Pick<OutboxService, 'post'>;
  addressMessage: (language: Language, change: AddressChange) => Message;
};

type Calls = typeof personalCalls;
type Bound = { email: string | null; phone: string | null };
type Proof = { code: string; password?: string | undefined };
type Values = Partial<
  Pick<UserAccountTable, 'name' | 'name_key' | 'password_hash' | 'must_change_password' | 'preferences'>
>;

export const createPersonalService = ({
  db,
  codes,
  sessions,
  throttle,
  ownPassword,
  outbox,
  addressMessage,
}: PersonalDeps) => {
  const ownTarget = (actor: Actor) => ({
    tenancyId: actor.tenancyId,
    targetId: actor.userId,
    targetName: actor.username,
  });

  const updateOwnRow = (db: Db, actor: Actor, values: Values & Record<string, unknown>) =>
    db
      .updateTable('user_account')
      .set({ ...values, updated_at: Date.now() })
      .where('user_id', '=', actor.userId)
      .execute();

  /** Locks the user's own row, so that of two concurrent changes the second sees the result of the first. */
  const lockOwnRow = (db: Db, actor: Actor) => updateOwnRow(db, actor, {});

  /** Notifies every address that the account had or has, so that an account takeover does not go unnoticed. */
  const notify = async (db: Db, { language }: Context, change: AddressChange, bound: Bound[]): Promise<void> => {
    const addresses = bound.flatMap(({ email, phone }) => [
      { channel: 'mail' as const, recipient: email },
      { channel: 'sms' as const, recipient: phone },
    ]);
    const recipients = new Map(addresses.map((one) => [one.recipient, one]));
    for (const { channel, recipient } of recipients.values())
      if (recipient) await outbox.post(db, { channel, recipient, message: addressMessage(language, change) });
  };

  /** Binds an address: needs the code sent to it, and the password or a recent proof of a bound address. */
  const bind = async (context: Context, kind: AddressChange['kind'], address: string, by: Proof): Promise<null> => {
    const { actor, ip } = context;
    const { code, password } = by;
    const key: CodeKey = { purpose: CodePurpose.bind, address, asker: actor.userId };
    if (password) await ownPassword.require(context, password, { code: 'PASSWORD_WRONG', field: 'password' });
    await codes.check(key, code, ip);
    try {
      return await withAudit(db, context, async (db) => {
        await lockOwnRow(db, actor);
        const { row } = await findProfile(db, actor.userId);
        if (!password) await codes.useProof(db, actor.userId);
        await codes.useUp(db, key, code);
        const values = kind === 'email' ? { email: address, email_key: foldCase(address) } : { phone: address };
        await updateOwnRow(db, actor, values);
        const { email, phone } = row;
        await notify(db, context, { username: actor.username, kind, address }, [
          { email, phone },
          { email, phone, [kind]: address },
        ]);
        return {
          result: null,
          audit: { ...ownTarget(actor), before: { [kind]: row[kind] }, after: { [kind]: address } },
        };
      });
    } catch (error) {
      if (uniqueViolation(error)) throw new AppError(kind === 'email' ? 'EMAIL_TAKEN' : 'PHONE_TAKEN', {}, kind);
      throw error;
    }
  };

  /** A cancellation code may have been sent to either bound address. */
  const checkCancelCode = async ({ actor, ip }: Context, code: string): Promise<CodeKey> => {
    const { row } = await findProfile(db, actor.userId);
    const addresses = [row.email, row.phone].filter((address) => address !== null);
    if (addresses.length === 0) throw new AppError('PHONE_UNBOUND');
    let lastError: unknown;
    for (const address of addresses) {
      const key: CodeKey = { purpose: CodePurpose.cancelAccount, address, asker: actor.userId };
      try {
        await codes.check(key, code, ip);
        return key;
      } catch (error) {
        lastError = error;
      }
    }
    throw lastError;
  };

  return {
    async checkCode({ actor, ip }: Context, input: Input<Calls['checkCode']>): Promise<null> {
      const { row } = await findProfile(db, actor.userId);
      const own = [row.email_key, row.phone].includes(foldCase(input.info));
      if (input.type !== CodePurpose.bind && !own) throw new AppError('ADDRESS_NOT_YOURS', {}, 'info');
      const recovers = input.type === CodePurpose.recover;
      const asker = recovers ? '' : actor.userId;
      const claim = { name: input.info, userId: actor.userId };
      if (recovers) await throttle.beginRecovery(claim, ip);
      await codes.check({ purpose: input.type, address: input.info, asker }, input.code, ip);
      if (recovers) await throttle.endRecovery(db, claim, ip);
      return null;
    },

    bindEmail: (context: Context, input: Input<Calls['bindEmail']>) => bind(context, 'email', input.email, input),
    bindPhone: (context: Context, input: Input<Calls['bindPhone']>) => bind(context, 'phone', input.phone, input),

    async cancelAccount(context: Context, { code }: Input<Calls['cancelAccount']>): Promise<null> {
      const { actor } = context;
      const key = await checkCancelCode(context, code);
      return withAudit(db, context, async (db) => {
        await codes.useUp(db, key, code);
        await removeUsers(db, [actor.userId]);
        return { result: null, audit: { ...ownTarget(actor), before: { username: actor.username, name: actor.name } } };
      });
    },

    async firstLoginUpdatePassword(context: Context, input: Input<Calls['firstLoginUpdatePassword']>): Promise<null> {
      const { actor } = context;
      await ownPassword.require(context, input.oldPassword, { code: 'OLD_PASSWORD_WRONG', field: 'oldPassword' });
      if (containsAccount(input.newPassword, actor.username))
        throw new AppError('PASSWORD_CONTAINS_ACCOUNT', {}, 'newPassword');
      if (input.newPassword === input.oldPassword) throw new AppError('PASSWORD_UNCHANGED', {}, 'newPassword');
      const passwordHash = await hashPassword(input.newPassword);
      return withAudit(db, context, async (db) => {
        await updateOwnRow(db, actor, { password_hash: passwordHash, must_change_password: 0 });
        await sessions.endOfUser(db, actor.userId, actor.sessionId);
        return { result: null, audit: ownTarget(actor) };
      });
    },

    async getPersonalMessage({ actor, language }: Context): Promise<Output<Calls['getPersonalMessage']>> {
      const { row, answer } = await findProfile(db, actor.userId, language);
      return { ...answer, lastLoginTime: isoOrNull(row.last_login_at), createTime: iso(row.created_at) };
    },

    async updateSimpleUser(context: Context, { userId, name }: Input<Calls['updateSimpleUser']>): Promise<null> {
      const { actor } = context;
      if (userId !== actor.userId) throw new AppError('USER_NOT_FOUND');
      return withAudit(db, context, async (db) => {
        await updateOwnRow(db, actor, { name, name_key: foldCase(name) });
        return { result: null, audit: { ...ownTarget(actor), before: { name: actor.name }, after: { name } } };
      });
    },

    async updateUserHead(
      context: Context,
      _input: object,
      file: UploadedFile,
    ): Promise<Output<Calls['updateUserHead']>> {
      const { actor } = context;
      const kinds = ['image/jpeg', 'image/png', 'image/bmp'] as const;
      const { contentType, bytes } = await reencodePicture(file.bytes, kinds, 'PICTURE_UNREADABLE', actor);
      return withAudit(db, context, async (db) => {
        await lockOwnRow(db, actor);
        const { row } = await findProfile(db, actor.userId);
        const picture = { tenancyId: actor.tenancyId, purpose: 'avatar', contentType, bytes } as const;
        const pictureId = await addPicture(db, picture);
        await updateOwnRow(db, actor, { picture_id: pictureId });
        await removePictures(db, [row.picture_id]);
        const audit = { ...ownTarget(actor), after: { contentType, bytes: bytes.length } };
        return { result: { image: imagePath(pictureId) }, audit };
      });
    },

    getUserHead: ({ actor }: Context, { pictureId }: Input<Calls['getUserHead']>): Promise<FileAnswer> =>
      readPicture(db, actor, 'avatar', pictureId),

    async loginOut(context: Context): Promise<null> {
      const { actor } = context;
      return withAudit(db, context, async (db) => {
        await sessions.end(db, actor.userId, actor.sessionId);
        return { result: null, audit: ownTarget(actor) };
      });
    },

    async getSessions({ actor }: Context): Promise<Output<Calls['getSessions']>> {
      const rows = await sessions.list(actor.userId);
      return rows.map((row) => ({
        sessionId: row.session_id,
        createTime: iso(row.created_at),
        lastUsedTime: iso(row.last_used_at),
        expireTime: iso(row.expiresAt),
        ip: row.ip,
        userAgent: row.user_agent,
        current: row.session_id === actor.sessionId ? 1 : 0,
      }));
    },

    async endSession(context: Context, { sessionId }: Input<Calls['endSession']>): Promise<null> {
      const { actor } = context;
      return withAudit(db, context, async (db) => {
        if (!(await sessions.end(db, actor.userId, sessionId))) throw new AppError('SESSION_NOT_FOUND');
        return { result: null, audit: { ...ownTarget(actor), before: { sessionId } } };
      });
    },

    async endOtherSessions(context: Context): Promise<Output<Calls['endOtherSessions']>> {
      const { actor } = context;
      return withAudit(db, context, async (db) => {
        const ended = await sessions.endOfUser(db, actor.userId, actor.sessionId);
        return { result: { ended }, audit: { ...ownTarget(actor), after: { ended } } };
      });
    },

    async getPreferences({ actor }: Context): Promise<Output<Calls['getPreferences']>> {
      const { row } = await findProfile(db, actor.userId);
      return { preferences: storedJson(row.preferences, 'user_account', actor.userId) };
    },

    async savePreferences(context: Context, { preferences }: Input<Calls['savePreferences']>): Promise<null> {
      const { actor } = context;
      return withAudit(db, context, async (db) => {
        await db
          .updateTable('user_account')
          .set({ preferences: JSON.stringify(preferences) })
          .where('user_id', '=', actor.userId)
          .execute();
        return { result: null, audit: { ...ownTarget(actor), after: { preferences: Object.keys(preferences) } } };
      });
    },
  };
};

export type PersonalService = ReturnType<typeof createPersonalService>;
