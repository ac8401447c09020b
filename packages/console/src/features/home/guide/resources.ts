import { z } from 'zod';
import { templateIds } from './templates.ts';

const named = z.object({ id: z.string(), name: z.string() });

/**
 * What the guide has created in this tab. It is stored before and after each creation, so that after a reload in
 * between the guide finds the object instead of creating it twice.
 */
const resourcesSchema = z.object({
  userId: z.string(),
  template: z.enum(templateIds),
  /** Names of objects whose creation has started. */
  intended: z.object({ application: z.string(), product: z.string(), child: z.string() }).partial().default({}),
  /** `own`: created by the guide, because the tenant had none. */
  application: named.extend({ own: z.boolean() }).optional(),
  /** `complete`: with its functions. */
  product: named.extend({ complete: z.boolean() }).optional(),
  child: named.extend({ complete: z.boolean() }).optional(),
  device: named.optional(),
  answer: z.object({ name: z.string(), value: z.string(), costMs: z.int() }).optional(),
  runsInHub: z.boolean().default(false),
});
export type GuideResources = z.output<typeof resourcesSchema>;
export type ProductRole = 'product' | 'child';

const KEY = 'guide';

export const loadResources = (userId: string): GuideResources | null => {
  try {
    const stored = resourcesSchema.parse(JSON.parse(sessionStorage.getItem(KEY) ?? 'null'));
    // Another user has logged in in this tab.
    return stored.userId === userId ? stored : null;
  } catch {
    return null;
  }
};

export const saveResources = (resources: GuideResources): void =>
  sessionStorage.setItem(KEY, JSON.stringify(resources));

export const clearResources = (): void => sessionStorage.removeItem(KEY);
