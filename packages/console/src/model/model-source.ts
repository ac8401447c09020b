import type { FunctionWithId, ModelEffect } from '@device-center/contract';

export type ModelState = { functions: FunctionWithId[]; modelVersion: number };

/** Loads and saves the edited model of a category or product. The page provides it. */
export type ModelSource = ModelState & {
  /** For file names and headings. */
  name: string;
  /** Maximum number of functions. */
  max: number;
  /** Category that is preselected for standard functions. */
  categoryId?: string;
  /** Replaces the whole model. Fails with MODEL_CHANGED if another user saved first. */
  save: (functions: FunctionWithId[], modelVersion: number) => Promise<{ modelVersion: number }>;
  /** Reads the current model from the hub. */
  reload: () => Promise<ModelState>;
  /** Effect of saving on devices; a category has no devices. */
  preview?: (functions: FunctionWithId[]) => Promise<ModelEffect>;
};
