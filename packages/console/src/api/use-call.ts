import type { Call, Output } from '@device-center/contract';
import {
  keepPreviousData,
  onlineManager,
  type Query,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import i18next from 'i18next';
import { ApiError, NETWORK_CODE } from './api-error.ts';
import { announceSuccess } from './feedback.ts';
import { ignoreNotFound } from './query-client.ts';
import { resultOfFailure, type Sendable, type SendOptions, send, sendForAnswer } from './send.ts';

/** The path without the call's name, such as '/iot-hub/admin/system/tenancy': calls of one feature share it. */
const folderOf = (call: Call): string => call.path.slice(0, call.path.lastIndexOf('/'));

export const keyOf = (call: Call, input: unknown = {}): [string, string, unknown] => [folderOf(call), call.path, input];

type CallOptions<Answer> = {
  enabled?: boolean;
  /** Keeps the previous rows while the next page loads. */
  keepPrevious?: boolean;
  staleTime?: number;
  /** Milliseconds, or a function of the latest data. Paused while the tab is hidden and after a failure. */
  refreshEvery?: number | ((last: Answer | undefined) => number);
};

const intervalOf = <Answer>(
  refreshEvery: NonNullable<CallOptions<Answer>['refreshEvery']>,
  last: Answer | undefined,
) => (typeof refreshEvery === 'function' ? refreshEvery(last) : refreshEvery);

/** Queries a call of the contract. The response is cached by call and input. */
export const useCall = <C extends Call>(
  call: C,
  input: Sendable<C>,
  { enabled = true, keepPrevious = false, staleTime, refreshEvery }: CallOptions<Output<C>> = {},
): UseQueryResult<Output<C>, ApiError> =>
  useQuery<Output<C>, ApiError>({
    queryKey: keyOf(call, input),
    queryFn: ({ signal }) => send(call, input, { signal }),
    enabled,
    ...(staleTime === undefined ? {} : { staleTime }),
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
    ...(refreshEvery === undefined
      ? {}
      : { refetchInterval: ({ state }) => (state.status === 'error' ? false : intervalOf(refreshEvery, state.data)) }),
  });

type MutationOptions<C extends Call> = {
  /** Calls of other features whose data this mutation changes too. */
  alsoRefreshes?: readonly Call[];
  /** Shows the hub's success message. Forms show a result dialog instead. */
  toast?: boolean;
  /** The call deletes the entity that the current page shows; the caller then navigates away. */
  leaves?: boolean;
  onSuccess?: (data: Output<C>, input: Sendable<C>) => void;
} & Pick<SendOptions, 'as'>;

/** Input of a mutation; a multipart call takes `file` or `files` in addition to its fields. */
type MutationInput<C extends Call> = C extends { file: object }
  ? NamedOnly<Sendable<C>> & { file: Blob }
  : C extends { files: object }
    ? NamedOnly<Sendable<C>> & Pick<SendOptions, 'files'>
    : Sendable<C>;

/** An input type without fields has an index signature of `never`, which would forbid adding `file`. */
type NamedOnly<Fields> = { [Key in keyof Fields as string extends Key ? never : Key]: Fields[Key] };

/** Runs a mutation and invalidates every cached query of its feature. */
export const useCallMutation = <C extends Call>(
  call: C,
  { alsoRefreshes = [], toast = false, leaves = false, onSuccess, as }: MutationOptions<C> = {},
): UseMutationResult<Output<C>, ApiError, MutationInput<C>> => {
  const client = useQueryClient();
  return useMutation<Output<C>, ApiError, MutationInput<C>>({
    mutationFn: async (variables) => {
      if (!onlineManager.isOnline())
        throw new ApiError({
          status: 0,
          code: NETWORK_CODE,
          message: i18next.t(navigator.onLine ? 'common:hubUnreachableWrite' : 'common:offlineWrite'),
        });
      const { file, files, ...input } = variables as Sendable<C> & Pick<SendOptions, 'file' | 'files'>;
      const options = { ...(file ? { file } : {}), ...(files ? { files } : {}), ...(as ? { as } : {}) };
      try {
        const answer = await sendForAnswer(call, input as Sendable<C>, options);
        if (toast) announceSuccess(answer.message);
        return answer.data;
      } catch (error) {
        const result = resultOfFailure(call, error);
        if (result === undefined) throw error;
        return result;
      }
    },
    onSuccess: async (data, input) => {
      onSuccess?.(data, input as Sendable<C>);
      const folders = [call, ...alsoRefreshes].map(folderOf);
      const predicate = ({ queryKey: [folder] }: Query) =>
        typeof folder === 'string' && folders.some((prefix) => folder === prefix || folder.startsWith(`${prefix}/`));
      if (leaves) ignoreNotFound(client.getQueryCache().findAll({ predicate, type: 'active' }));
      await client.invalidateQueries({ predicate, refetchType: leaves ? 'none' : 'active' });
    },
  });
};
