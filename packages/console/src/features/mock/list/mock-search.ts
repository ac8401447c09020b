import { z } from 'zod';

export const mockListSearch = z.object({});
