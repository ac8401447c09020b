import type { contract } from '@device-center/contract';

type Contract = typeof contract;

type CommandsOf<Slice extends keyof Contract> = {
  [Name in keyof Contract[Slice] & string]: Contract[Slice][Name] extends { kind: 'mutation' }
    ? `${Slice}-${Name}`
    : never;
}[keyof Contract[Slice] & string];

/** An upload speaks a protocol of its own, and a command of the machine's owner has none: neither is a call. */
type BesideCalls = 'firmware-uploadFirmware' | 'command-resetAdmin';

/** Every command of the contract, as a text key: `role-addRole`. i18next reads a dot as a path. */
export type CommandKey = { [Slice in keyof Contract]: CommandsOf<Slice> }[keyof Contract] | BesideCalls;
