import { z } from 'zod';
import { textParam } from '../../../ui/list-search.ts';

/** Of this product, unless another is chosen. */
export const addMockSearch = z.object({ productId: textParam() });
