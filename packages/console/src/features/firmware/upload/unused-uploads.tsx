import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { percentOf, sizeText } from '../sizes.ts';
import type { Owner, UnusedUpload } from './firmware-upload.ts';
import type { UploadControl } from './use-firmware-upload.ts';

const findUnused = async (owner: Owner): Promise<UnusedUpload[]> =>
  (await import('./firmware-upload.ts')).findUnusedUploads(owner);

type UnusedProps = { unused: UnusedUpload; control: Pick<UploadControl, 'adopt' | 'discard'>; onGone: () => void };

const Unused = ({ unused: { firmwareUri, file }, control, onGone }: UnusedProps) => {
  const { t } = useTranslation('firmware');
  const { nickName: name, size, received, state } = file;
  const cut = state === 'uploading';
  const discard = async () => {
    await control.discard(firmwareUri);
    onGone();
  };
  return (
    <li>
      <p>
        {cut
          ? t('interrupted', { name, percent: percentOf(received, size) })
          : t('uploadedBefore', { name, size: sizeText(size) })}
      </p>
      <div className="dc-upload-buttons">
        {!cut && (
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

type UnusedUploadsProps = { owner: Owner; control: UnusedProps['control'] };

/** What was begun here before, such as before a reload. */
export const UnusedUploads = ({ owner, control }: UnusedUploadsProps) => {
  const { t } = useTranslation('firmware');
  const { data = [], refetch } = useQuery({
    queryKey: ['unusedFirmware', owner.userId, owner.tenancyId],
    queryFn: () => findUnused(owner),
    // Whoever comes back to the form, or cancels, finds it as it is now.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (data.length === 0) return null;
  return (
    <ul className="dc-unused-uploads" aria-label={t('unusedUploads')}>
      {data.map((unused) => (
        <Unused key={unused.firmwareUri} unused={unused} control={control} onGone={() => void refetch()} />
      ))}
    </ul>
  );
};
