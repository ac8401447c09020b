import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { announceFailure } from './feedback.ts';

const worthAnotherTry = (failures: number, error: Error): boolean =>
  failures < 1 && error instanceof ApiError && error.code === 'NETWORK_ERROR';

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError: announceFailure }),
    mutationCache: new MutationCache({ onError: announceFailure }),
    defaultOptions: {
      queries: { retry: worthAnotherTry, staleTime: 5_000, refetchOnReconnect: 'always' },
      // Refused at once when offline, rather than sent minutes later without the operator knowing.
      mutations: { networkMode: 'always' },
    },
  });
