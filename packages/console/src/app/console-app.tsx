import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { createQueryClient } from '../api/query-client.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { useScheme } from '../ui/media.ts';
import { PreferencesSync } from './preferences-sync.tsx';
import { createConsoleRouter } from './router.tsx';

export const ConsoleApp = () => {
  const [queryClient] = useState(createQueryClient);
  const [router] = useState(() => createConsoleRouter());
  const scheme = useScheme();
  useEffect(() => {
    document.documentElement.dataset.theme = scheme;
  }, [scheme]);
  return (
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <PreferencesSync />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ErrorBoundary>
  );
};
