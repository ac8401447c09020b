import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { Text } from './language.ts';
import type { Permission } from './permissions.ts';

/**
 * One call of the hub, declared once. Mounting, parsing, authentication, permission, the console's client,
 * OpenAPI and the tests that loop over the contract all follow from this entry.
 */
/** What a call takes unless it says otherwise. To parse a megabyte would keep all other requests waiting. */
export const INPUT_BYTES = 64 * 1024;
/** Of calls that take many rows or a whole function. */
export const LARGE_INPUT_BYTES = 1024 * 1024;

export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** A former path at which it still answers; it is in no description. */
  alias?: string;
  /** Whether it changes something. The verb does not say: GET loginOut writes, a POST may only read. */
  kind: 'query' | 'mutation';
  /** Who may call. A call without it does not compile. */
  access: 'public' | 'signed-in' | Permission;
  /** Only users of the platform tenant, whatever their menus. */
  platformOnly?: true;
  /** Only a person who is logged in: an API key may not, whatever its role. */
  personOnly?: true;
  /** Also while the first-login flag is set. */
  duringFirstLogin?: true;
  /** One line for the interface's readers. */
  summary: Text;
  input: z.ZodObject;
  output: z.ZodType;
  /** What `data` of an error answer may carry; null where it is not declared. */
  failureData?: z.ZodType;
  /** The one file part of a multipart call. */
  file?: { field: string; maxBytes: number };
  /** The files of a multipart call that may have several or none: `{index}` in the field's name counts from 0. */
  files?: { field: string; maxBytes: number; max: number; tooLarge: ErrorCode };
  /** How many bytes of JSON or form it takes, where INPUT_BYTES are too few. */
  maxBytes?: number;
  /** Answers a file's bytes instead of the envelope; errors still come in the envelope. */
  answersFile?: true;
  /** Answers server-sent events until the caller leaves. */
  answersStream?: true;
  /** Called by devices: limited apart from people, and bad input is answered with the protocol's word. */
  forDevices?: true;
  /** The message of a success. */
  success?: 'deleted';
};

export type CallTable = Record<string, Call>;

/** Keeps each entry's exact type, and holds it to the shape of a call. */
export const defineCalls = <const Calls extends CallTable>(calls: Calls): Calls => calls;

/** What the caller sends. */
export type Sent<C extends Call> = z.input<C['input']>;
/** What the handler gets. */
export type Input<C extends Call> = z.output<C['input']>;
/** What the caller gets as `data`. */
export type Output<C extends Call> = z.output<C['output']>;
/** What the caller gets as `data` of an error; null also where no device was asked. */
export type FailureData<C extends Call> = C extends { failureData: infer Schema extends z.ZodType }
  ? z.output<Schema> | null
  : null;
