import { z } from 'zod';
import { listSearch, textParam } from '../../ui/list-search.ts';

export const versionListSearch = listSearch({
  searchValue: textParam(),
  productId: textParam(),
  tenancyId: textParam(),
});
export type VersionListSearch = z.output<typeof versionListSearch>;

/** The product that a new version is for. */
export const versionFormSearch = z.object({ productId: textParam() });

export const versionListPath = '/OTAUpdate/softwareVersion';
/** Spec §2: status 0 creates (with id 0), 1 edits, 2 views. */
export const versionPath = (versionId: string, status: 0 | 1 | 2): string => `/add/addOta/${versionId}/${status}`;

/** Pages of other slices, by address: a slice imports no other. */
export const productPath = (productId: string): string => `/detail/detailProduct/${productId}`;
export const productFormPath = '/add/addProduct';
export const taskListPath = '/OTAUpdate/updateMission';
export const taskFormPath = '/add/addMission';
