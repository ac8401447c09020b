import type { ColumnType } from 'kysely';

export type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>;
export type Defaulted<T> = ColumnType<T, T | undefined, T>;
export type Flag = 0 | 1;

/** 0: valid; 1: revoked; 2: replaced by a later login of the device. */
export type SessionEnd = 0 | 1 | 2;

export type DisconnectScope = 'device' | 'application' | 'tenancy';
/** `configuration` does not disconnect: it notifies the device of a configuration change. */
export type InstructionScope = DisconnectScope | 'configuration';

/** `suppressed`: no account has the address; the row is written so that each request for a code does the same work. */
export type OutboxState = 'pending' | 'sent' | 'kept' | 'failed' | 'suppressed';
