import { Download } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { announceFailure } from '../../../api/feedback.ts';
import { Button } from '../../../ui/button.tsx';

type SaveButtonProps = {
  save: () => Promise<void>;
  /** Spec §8: the message when the download fails. */
  failed: string;
  label?: string;
  children: ReactNode;
} & { type?: 'link' | 'default'; disabled?: boolean };

/** Downloads a file. An expired token is handled as for other calls. */
export const SaveButton = ({ save, failed, label, children, type = 'default', disabled = false }: SaveButtonProps) => {
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      await save();
    } catch (error) {
      const status = error instanceof ApiError ? error.status : 0;
      announceFailure(new ApiError({ status, code: 'DOWNLOAD_FAILED', message: failed }));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      className="dc-save"
      type={type}
      loading={busy}
      disabled={disabled}
      icon={<Download size={15} aria-hidden />}
      {...(label === undefined ? {} : { 'aria-label': label })}
      onClick={() => void run()}
    >
      <span>{children}</span>
    </Button>
  );
};
