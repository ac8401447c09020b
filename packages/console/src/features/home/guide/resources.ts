import { z } from 'zod';
import { templateIds } from './templates.ts';

const named = z.object({ id: z.string(), name: z.string() });

/**
 * What the guide has made in this tab. Written before and after each making, so that a reload in between finds it
 * again instead of making it twice.
 */
const made = z.object({
  userId: z.string(),
  template: z.enum(templateIds),
  /** Names under which something is being made just now. */
  intended: z.object({ application: z.string(), product: z.string(), child: z.string() }).partial().default({}),
  /** `own`: nobody had one, so the guide made it. */
  application: named.extend({ own: z.boolean() }).optional(),
  /** `complete`: with its functions. */
  product: named.extend({ complete: z.boolean() }).optional(),
  child: named.extend({ complete: z.boolean() }).optional(),
  device: named.optional(),
  answer: z.object({ name: z.string(), value: z.string(), costMs: z.int() }).optional(),
  kept: z.boolean().default(false),
});
export type Made = z.output<typeof made>;
export type Role = 'product' | 'child';

const KEY = 'guide';

export const readMade = (userId: string): Made | null => {
  try {
    const stored = made.parse(JSON.parse(sessionStorage.getItem(KEY) ?? 'null'));
    // Somebody else has logged in in this tab.
    return stored.userId === userId ? stored : null;
  } catch {
    return null;
  }
};

export const keepMade = (now: Made): void => sessionStorage.setItem(KEY, JSON.stringify(now));

export const forgetMade = (): void => sessionStorage.removeItem(KEY);
