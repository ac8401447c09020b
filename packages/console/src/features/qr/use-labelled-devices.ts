import { deviceCalls, fields } from '@device-center/contract';
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { send } from '../../api/send.ts';
import type { Labelled } from './content.ts';

type FoundDevice = { deviceId: string; device: Labelled | undefined };

const SEARCH_LIMIT = 20;
const MINUTE_MS = 60_000;

const readDetails = async (deviceId: string, signal: AbortSignal): Promise<Labelled | undefined> => {
  try {
    return await send(deviceCalls.getDeviceDetails, { deviceId }, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
};

/** Searches the list, which does not fail for an unknown id, as pasted ids often are. */
const findDevice = async (deviceId: string, signal: AbortSignal): Promise<Labelled | undefined> => {
  if (!fields.deviceId().safeParse(deviceId).success) return undefined;
  const { list, total } = await send(deviceCalls.queryDeviceList, { deviceId, pageSize: SEARCH_LIMIT }, { signal });
  const found = list.find((row) => row.deviceId === deviceId);
  // The list also matches ids that contain this one; if there are too many, read the details instead.
  return found || total <= list.length ? found : readDetails(deviceId, signal);
};

const summary = (answers: UseQueryResult<FoundDevice>[]) => ({
  devices: answers.flatMap(({ data }) => data?.device ?? []),
  unknown: answers.flatMap(({ data }) => (data && data.device === undefined ? [data.deviceId] : [])),
  pending: answers.some(({ isPending, error }) => isPending && !error),
  error: answers.find(({ error }) => error)?.error ?? null,
  retry: () => {
    for (const { error, refetch } of answers) if (error) void refetch();
  },
});

/** The devices of these ids in order, and the ids that are unknown or of another tenant. */
export const useLabelledDevices = (ids: readonly string[]) =>
  useQueries({
    queries: ids.map((deviceId) => ({
      queryKey: ['labelledDevice', deviceId],
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<FoundDevice> => ({
        deviceId,
        device: await findDevice(deviceId, signal),
      }),
      staleTime: MINUTE_MS,
    })),
    combine: summary,
  });
