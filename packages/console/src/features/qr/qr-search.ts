import { z } from 'zod';

export const qrPath = (deviceId: string): string => `/detail/qrCode/${deviceId}`;

export const qrSearch = z.object({});
