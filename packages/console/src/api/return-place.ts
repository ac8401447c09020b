import { z } from 'zod';

/** Of this tab alone, and not in local storage, which the end of a session clears. */
const KEY = 'returnPlace';

/** A path of this site: '//host' would be another one. */
const place = z.object({ userId: z.string().min(1), path: z.string().regex(/^\/(?![/\\])/) });

/** Where the user was when the session ended. */
export const rememberPlace = (userId: string): void => {
  const { pathname, search } = location;
  if (pathname !== '/') sessionStorage.setItem(KEY, JSON.stringify({ userId, path: `${pathname}${search}` }));
};

/** Answers it once, and to the same user only. */
export const takePlace = (userId: string): string | undefined => {
  const stored = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  try {
    const { data } = place.safeParse(JSON.parse(stored ?? 'null'));
    return data?.userId === userId ? data.path : undefined;
  } catch {
    return undefined;
  }
};
