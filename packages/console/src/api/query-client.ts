import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { announceFailure } from './feedback.ts';

const shouldRetry = (failures: number, error: Error): boolean =>
  failures < 1 && error instanceof ApiError && error.code === 'NETWORK_ERROR';

/** Queries of a page whose entity the user has just deleted: a 404 is expected and not shown. */
const deleted = new WeakSet<object>();

export const ignoreNotFound = (queries: readonly object[]): void => {
  for (const query of queries) deleted.add(query);
};

const announceQueryFailure = (error: Error, query: object): void => {
  const isExpected = error instanceof ApiError && error.status === 404 && deleted.has(query);
  if (!isExpected) announceFailure(error);
};

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError: announceQueryFailure }),
    mutationCache: new MutationCache({ onError: announceFailure }),
    defaultOptions: {
      queries: { retry: shouldRetry, staleTime: 5_000, refetchOnReconnect: 'always' },
      // Fail immediately when offline, rather than being sent minutes later without the operator knowing.
      mutations: { networkMode: 'always' },
    },
  });
