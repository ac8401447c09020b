import { ApiError } from '../../../api/api-error.ts';
import { mayHavePassword } from './zone-values.ts';

type Files = readonly (File | null)[];

/** Name of a file part, with the index of its node. */
const PART = /^certificate(\d+)$/;

const fieldAt = (place: number, code: string, files: Files): string => {
  const ofPassword = code === 'CERTIFICATE_PASSWORD' && mayHavePassword(files[place]);
  return `nodes[${place}].${ofPassword ? 'certificatePassword' : 'certificate'}`;
};

/** Maps errors about file parts to the form field of the node. */
export const atItsRow = (error: unknown, files: Files): unknown => {
  if (!(error instanceof ApiError)) return error;
  const { status, code, message, requestId } = error;
  const details = error.details.map((detail) => ({
    ...detail,
    field: detail.field.replace(PART, (_part, place: string) => fieldAt(Number(place), code, files)),
  }));
  return new ApiError({ status, code, message, details, requestId });
};
