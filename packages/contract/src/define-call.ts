import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { Text } from './language.ts';
import type { Permission } from './permissions.ts';

/** Default limit of a request body. Parsing a megabyte would delay all other requests. */
export const INPUT_BYTES = 64 * 1024;
/** Limit for calls that accept many rows or a complete function. */
export const LARGE_INPUT_BYTES = 1024 * 1024;

/**
 * Declares one call of the hub. Routing, parsing, authentication, permissions, the console's client, OpenAPI and the
 * tests that loop over the contract are derived from this entry.
 */
export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** A former path that still works; not documented. */
  alias?: string;
  /** Whether the call changes data. The HTTP method does not tell: GET loginOut writes, some POST calls only read. */
  kind: 'query' | 'mutation';
  /** Who may call. Required, so that no call is public by omission. */
  access: 'public' | 'signed-in' | Permission;
  /** Only for users of the platform tenant. */
  platformOnly?: true;
  /** Only with a user session; API keys are rejected. */
  requiresUserSession?: true;
  /** Allowed before the user has changed the initial password. */
  duringFirstLogin?: true;
  /** One-line description for the API documentation. */
  summary: Text;
  input: z.ZodObject;
  output: z.ZodType;
  /** Schema of `data` in an error response; without it, `data` is null. */
  failureData?: z.ZodType;
  /** The one file part of a multipart call. */
  file?: { field: string; maxBytes: number };
  /** Optional file parts of a multipart call; `{index}` in the field name counts from 0. */
  files?: { field: string; maxBytes: number; max: number; tooLarge: ErrorCode };
  /** Limit of the request body in bytes, if not INPUT_BYTES. */
  maxBytes?: number;
  /** Responds with a file instead of the envelope; errors still use the envelope. */
  answersFile?: true;
  /** Responds with server-sent events until the client disconnects. */
  answersStream?: true;
  /** Called by devices: has separate rate limits, and reports invalid input with device protocol codes. */
  forDevices?: true;
  /** Key of the success message; default: `done`. */
  success?: 'deleted';
};

export type CallTable = Record<string, Call>;

/** Checks each entry against `Call` and preserves its exact type. */
export const defineCalls = <const Calls extends CallTable>(calls: Calls): Calls => calls;

/** Input as the caller sends it. */
export type Sent<C extends Call> = z.input<C['input']>;
/** Parsed input as the handler receives it. */
export type Input<C extends Call> = z.output<C['input']>;
/** `data` of a success response. */
export type Output<C extends Call> = z.output<C['output']>;
/** `data` of an error response; null if the request was not sent to a device. */
export type FailureData<C extends Call> = C extends { failureData: infer Schema extends z.ZodType }
  ? z.output<Schema> | null
  : null;
