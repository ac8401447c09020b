import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { percentOf, sizeText } from '../sizes.ts';
import type { Owner, UnusedUpload } from './firmware-upload.ts';
import type { UploadControl } from './use-firmware-upload.ts';

const findUnused = async (owner: Owner): Promise<UnusedUpload[]> =>
  (await import('./firmware-upload.ts')).findUnusedUploads(owner);

type UnusedUploadItemProps = {
  unused: UnusedUpload;
  control: Pick<UploadControl, 'adopt' | 'discard'>;
  onGone: () => void;
};

const UnusedUploadItem = ({ unused: { firmwareUri, file }, control, onGone }: UnusedUploadItemProps) => {
  const { t } = useTranslation('firmware');
  const { nickName: name, size, received, state } = file;
  const interrupted = state === 'uploading';
  const discard = async () => {
    await control.discard(firmwareUri);
    onGone();
  };
  return (
    <li>
      <p>
        {interrupted
          ? t('interrupted', { name, percent: percentOf(received, size) })
          : t('uploadedBefore', { name, size: sizeText(size) })}
      </p>
      <div className="dc-upload-buttons">
        {!interrupted && (
          <Button size="small" type="primary" onClick={() => control.adopt(file)}>
            {t('useIt')}
          </Button>
        )}
        <Button size="small" onClick={() => void discard()}>
          {t('discard')}
        </Button>
      </div>
    </li>
  );
};

type UnusedUploadsProps = { owner: Owner; control: UnusedUploadItemProps['control'] };

/** Lists earlier uploads in this browser, for example from before a reload. */
export const UnusedUploads = ({ owner, control }: UnusedUploadsProps) => {
  const { t } = useTranslation('firmware');
  const { data = [], refetch } = useQuery({
    queryKey: ['unusedFirmware', owner.userId, owner.tenancyId],
    queryFn: () => findUnused(owner),
    // Not cached: the list must be current when the form is opened again or an upload is cancelled.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (data.length === 0) return null;
  return (
    <ul className="dc-unused-uploads" aria-label={t('unusedUploads')}>
      {data.map((unused) => (
        <UnusedUploadItem key={unused.firmwareUri} unused={unused} control={control} onGone={() => void refetch()} />
      ))}
    </ul>
  );
};
