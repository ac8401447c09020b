import type { KeptFunction, ModelEffect } from '@device-center/contract';

export type ModelState = { functions: KeptFunction[]; modelVersion: number };

/** Where an edited model comes from and goes to: a category or a product. The page that knows it hands it in. */
export type ModelSource = ModelState & {
  /** For file names and headings. */
  name: string;
  /** The most functions it may have. */
  max: number;
  /** The category whose standard functions are offered first. */
  categoryId?: string;
  /** Replaces the whole model; refuses with MODEL_CHANGED when somebody else was faster. */
  save: (functions: KeptFunction[], modelVersion: number) => Promise<{ modelVersion: number }>;
  /** As it is on the hub now. */
  reload: () => Promise<ModelState>;
  /** What saving would do to devices; a category has none. */
  preview?: (functions: KeptFunction[]) => Promise<ModelEffect>;
};
