import { z } from 'zod';

/** `redirect`: the URL to open after login. '//host' would lead to another site. */
export const loginSearch = z.object({
  redirect: z
    .string()
    .regex(/^\/(?![/\\])/)
    .optional()
    .catch(undefined),
});
