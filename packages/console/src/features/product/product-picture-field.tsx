import { productCalls } from '@device-center/contract';
import { ImageUp } from 'lucide-react';
import { type ChangeEvent, type DragEvent, Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useProtectedPicture } from '../../api/picture.ts';
import { useCallMutation } from '../../api/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { acceptOf, usePictureFile } from '../../ui/picture-file.ts';

const PictureCrop = lazyPart(() => import('../../ui/picture-crop.tsx'), { prefetch: false });

const KINDS = ['jpg', 'png'] as const;
const PICTURE_MAX_PIXELS = 512;
const PREVIEW_SIZES = [88, 36] as const;

type ProductPictureFieldProps = { id?: string; value?: string; onChange?: (icon: string) => void };

/** A picture that is dropped or selected, cropped to a square and uploaded immediately. The value is its URL. */
export const ProductPictureField = ({ id, value = '', onChange }: ProductPictureFieldProps) => {
  const { t } = useTranslation('product');
  const picture = useProtectedPicture(value);
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const { address, problem, take, forget } = usePictureFile({
    kinds: KINDS,
    texts: { wrongType: t('pictureWrongType'), unreadable: t('pictureUnreadable') },
  });
  const upload = useCallMutation(productCalls.uploadProductPicture, {
    onSuccess: ({ icon }) => {
      onChange?.(icon);
      forget();
    },
  });

  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    // Otherwise selecting the same file again would not fire a change event.
    target.value = '';
    if (file) void take(file);
  };
  const hover = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) void take(file);
  };

  const open = () => input.current?.click();
  return (
    <section
      className="dc-picture-drop"
      aria-label={t('picture')}
      data-over={over}
      onDragOver={hover}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <span className="dc-picture-shown">
        {picture === undefined ? (
          <ImageUp size={24} strokeWidth={1.5} aria-hidden />
        ) : (
          <img src={picture} alt={t('picture')} />
        )}
      </span>
      <div className="dc-picture-words">
        <span>{t('pictureDrop')}</span>
        <div>
          <Button {...(id === undefined ? {} : { id })} onClick={open}>
            {t(value === '' ? 'pictureChoose' : 'pictureReplace')}
          </Button>
          {value !== '' && <Button onClick={() => onChange?.('')}>{t('pictureRemove')}</Button>}
        </div>
        <span className="dc-muted dc-small">{t('pictureTypes')}</span>
        <span role="alert" className="dc-field-error dc-small">
          {problem}
        </span>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept={acceptOf(KINDS)}
        aria-label={t('pictureChoose')}
        onChange={choose}
      />
      {address !== undefined && (
        <Suspense fallback={null}>
          <PictureCrop
            pictureUrl={address}
            maxPixels={PICTURE_MAX_PIXELS}
            previewSizes={PREVIEW_SIZES}
            texts={{
              title: t('pictureCrop'),
              area: t('pictureCropArea'),
              preview: t('picturePreview'),
              zoom: t('pictureZoom'),
              another: t('pictureAnother'),
            }}
            onCropped={(file) => upload.mutateAsync({ file })}
            onAnother={open}
            onClose={forget}
          />
        </Suspense>
      )}
    </section>
  );
};
