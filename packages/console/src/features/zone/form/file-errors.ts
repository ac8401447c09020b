import { ApiError } from '../../../api/api-error.ts';
import { mayHavePassword } from './zone-values.ts';

type Files = readonly (File | null)[];

/** Name of a file part, with the index of its node. */
const PART = /^certificate(\d+)$/;

const fieldAt = (index: number, code: string, files: Files): string => {
  const ofPassword = code === 'CERTIFICATE_PASSWORD' && mayHavePassword(files[index]);
  return `nodes[${index}].${ofPassword ? 'certificatePassword' : 'certificate'}`;
};

/** Maps errors about file parts to the form field of the node. */
export const mapFileErrors = (error: unknown, files: Files): unknown => {
  if (!(error instanceof ApiError)) return error;
  const { status, code, message, requestId } = error;
  const details = error.details.map((detail) => ({
    ...detail,
    field: detail.field.replace(PART, (_part, index: string) => fieldAt(Number(index), code, files)),
  }));
  return new ApiError({ status, code, message, details, requestId });
};
