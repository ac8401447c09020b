import { z } from 'zod';

/** The path that no page has. */
export const notFoundSearch = z.object({ path: z.string().optional().catch(undefined) });
