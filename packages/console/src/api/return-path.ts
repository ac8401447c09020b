import { z } from 'zod';

/** In session storage: valid for this tab only, and kept when the end of a session clears local storage. */
const KEY = 'returnPlace';

/** Only a path of this site: '//host' would lead to another one. */
const returnPath = z.object({ userId: z.string().min(1), path: z.string().regex(/^\/(?![/\\])/) });

/** Stores the current page when the session ends, so that the next login returns to it. */
export const saveReturnPath = (userId: string): void => {
  const { pathname, search } = location;
  if (pathname !== '/') sessionStorage.setItem(KEY, JSON.stringify({ userId, path: `${pathname}${search}` }));
};

/** Returns and removes the stored path, if it belongs to this user. */
export const takeReturnPath = (userId: string): string | undefined => {
  const stored = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  try {
    const { data } = returnPath.safeParse(JSON.parse(stored ?? 'null'));
    return data?.userId === userId ? data.path : undefined;
  } catch {
    return undefined;
  }
};
