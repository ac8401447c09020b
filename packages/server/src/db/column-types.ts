import type { ColumnType } from 'kysely';

export type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>;
export type Defaulted<T> = ColumnType<T, T | undefined, T>;
export type Flag = 0 | 1;
