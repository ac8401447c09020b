import type { Call } from '@device-center/contract';
import { ApiError } from '../../../api/api-error.ts';
import { fetchHub } from '../../../api/send.ts';
import { currentSession } from '../../../api/session.ts';
import { languageTag } from '../../../i18n/language.ts';
import { downloadBlob } from '../../../ui/download.ts';

/** Downloads a protected file with the token in a header, never in the URL. */
export const saveFile = async (call: Call, input: Record<string, unknown>, filename: string): Promise<void> => {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input)) if (value !== undefined) query.set(key, String(value));
  const response = await fetchHub(`${call.path}?${query}`, {
    headers: { Authorization: currentSession()?.token ?? '', 'Accept-Language': languageTag() },
  });
  if (!response.ok) throw new ApiError({ status: response.status, code: `HTTP_${response.status}`, message: '' });
  downloadBlob(filename, await response.blob());
};
