import type { contract } from '@device-center/contract';

type Contract = typeof contract;

type CommandsOf<Slice extends keyof Contract> = {
  [Name in keyof Contract[Slice] & string]: Contract[Slice][Name] extends { kind: 'mutation' }
    ? `${Slice}-${Name}`
    : never;
}[keyof Contract[Slice] & string];

/** Audited actions that are no HTTP calls: uploads use tus, and `resetAdmin` runs on the server. */
type BesideCalls = 'firmware-uploadFirmware' | 'command-resetAdmin';

/** Text key of every audited action: `role-addRole`. It has no dot, because i18next treats dots as paths. */
export type CommandKey = { [Slice in keyof Contract]: CommandsOf<Slice> }[keyof Contract] | BesideCalls;
