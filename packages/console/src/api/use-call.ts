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
import { expectGone } from './query-client.ts';
import { resultOfFailure, type Sendable, type SendOptions, send, sendForAnswer } from './send.ts';

/** The path up to the call's name is what its slice answers under: '/iot-hub/admin/system/tenancy'. */
const folderOf = (call: Call): string => call.path.slice(0, call.path.lastIndexOf('/'));

export const keyOf = (call: Call, input: unknown = {}): [string, string, unknown] => [folderOf(call), call.path, input];

type CallOptions<Answer> = {
  enabled?: boolean;
  /** Old rows stay while the next page loads. */
  keepPrevious?: boolean;
  staleTime?: number;
  /** Milliseconds, by the last answer where that tells; rests while the tab is hidden, and after a failure until somebody retries. */
  refreshEvery?: number | ((last: Answer | undefined) => number);
};

const paceOf = <Answer>(refreshEvery: NonNullable<CallOptions<Answer>['refreshEvery']>, last: Answer | undefined) =>
  typeof refreshEvery === 'function' ? refreshEvery(last) : refreshEvery;

/** Reads with a call of the contract; the answer is cached by call and input. */
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
      : { refetchInterval: ({ state }) => (state.status === 'error' ? false : paceOf(refreshEvery, state.data)) }),
  });

type CommandOptions<C extends Call> = {
  /** Calls of other slices whose answers this command changes too. */
  alsoRefreshes?: readonly Call[];
  /** Shows the hub's 'Operation succeeded'. Forms show a result dialog instead. */
  toast?: boolean;
  /** The call deletes what the current page shows; the caller then navigates away. */
  leaves?: boolean;
  onSuccess?: (data: Output<C>, input: Sendable<C>) => void;
} & Pick<SendOptions, 'as'>;

/** Input of a command; `file` or `files` travel beside the fields of a multipart call. */
type Ordered<C extends Call> = C extends { file: object }
  ? NamedOnly<Sendable<C>> & { file: Blob }
  : C extends { files: object }
    ? NamedOnly<Sendable<C>> & Pick<SendOptions, 'files'>
    : Sendable<C>;

/** An input without fields reads as "no key at all", which would forbid the file beside them. */
type NamedOnly<Fields> = { [Key in keyof Fields as string extends Key ? never : Key]: Fields[Key] };

/** Changes something; every cached answer of the command's slice is fetched anew. */
export const useCallMutation = <C extends Call>(
  call: C,
  { alsoRefreshes = [], toast = false, leaves = false, onSuccess, as }: CommandOptions<C> = {},
): UseMutationResult<Output<C>, ApiError, Ordered<C>> => {
  const client = useQueryClient();
  return useMutation<Output<C>, ApiError, Ordered<C>>({
    mutationFn: async (ordered) => {
      if (!onlineManager.isOnline())
        throw new ApiError({
          status: 0,
          code: NETWORK_CODE,
          message: i18next.t(navigator.onLine ? 'common:hubAwayWrite' : 'common:offlineWrite'),
        });
      const { file, files, ...input } = ordered as Sendable<C> & Pick<SendOptions, 'file' | 'files'>;
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
    onSuccess: async (data, ordered) => {
      onSuccess?.(data, ordered as Sendable<C>);
      const folders = [call, ...alsoRefreshes].map(folderOf);
      const predicate = ({ queryKey: [folder] }: Query) =>
        typeof folder === 'string' && folders.some((own) => folder === own || folder.startsWith(`${own}/`));
      if (leaves) expectGone(client.getQueryCache().findAll({ predicate, type: 'active' }));
      await client.invalidateQueries({ predicate, refetchType: leaves ? 'none' : 'active' });
    },
  });
};
