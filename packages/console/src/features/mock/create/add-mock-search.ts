import { z } from 'zod';
import { textParam } from '../../../ui/list-search.ts';

/** `productId`: preselected product. */
export const addMockSearch = z.object({ productId: textParam() });
