import { type FirmwareFile, firmwareCalls } from '@device-center/contract';
import { LoaderCircle } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { ErrorCard } from '../../../ui/states.tsx';

const POLL_MS = 1_000;
/** Without a result after this time, the user has to upload the file again. */
export const CHECK_WAIT_MS = 600_000;

type CheckWaitProps = { firmwareUri: string; onSettled: (file: FirmwareFile) => void; onTimeout: () => void };

/** The hub checks the file in the background. Polls the result every second, until the timeout. */
export const CheckWait = ({ firmwareUri, onSettled, onTimeout }: CheckWaitProps) => {
  const { t } = useTranslation('firmware');
  const query = useCall(firmwareCalls.getFirmwareFile, { firmwareUri }, { refreshEvery: POLL_MS, staleTime: 0 });
  const callbacks = useRef({ onSettled, onTimeout });
  callbacks.current = { onSettled, onTimeout };
  const { data: file } = query;

  useEffect(() => {
    if (file && (file.state === 'ready' || file.state === 'failed')) callbacks.current.onSettled(file);
  }, [file]);
  useEffect(() => {
    const timer = setTimeout(() => callbacks.current.onTimeout(), CHECK_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);

  if (query.error) return <ErrorCard error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <p role="status" className="dc-upload-check">
      <LoaderCircle size={16} aria-hidden />
      {t('checking')}
    </p>
  );
};
