import { personalCalls } from '@device-center/contract';
import { App } from 'antd';
import { ImageUp } from 'lucide-react';
import { type ChangeEvent, Suspense, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { announceSuccess } from '../../api/feedback.ts';
import { useProtectedPicture } from '../../api/picture.ts';
import { updateSession } from '../../api/session.ts';
import { useCallMutation } from '../../api/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { acceptOf, usePictureFile } from '../../ui/picture-file.ts';

const PictureCrop = lazyPart(() => import('../../ui/picture-crop.tsx'), { prefetch: false });

const KINDS = ['jpg', 'png', 'bmp'] as const;
const AVATAR_MAX_PIXELS = 512;
const PREVIEW_SIZES = [96, 28] as const;

export const AvatarEditor = ({ username, image }: { username: string; image: string }) => {
  const { t } = useTranslation('personal');
  const { message } = App.useApp();
  const picture = useProtectedPicture(image);
  const input = useRef<HTMLInputElement>(null);
  const { address, problem, take, forget } = usePictureFile({
    kinds: KINDS,
    texts: { wrongType: t('avatarWrongType'), unreadable: t('avatarUnreadable') },
    onRefused: (text) => void message.error({ key: text, content: text, duration: 2 }),
  });
  const upload = useCallMutation(personalCalls.updateUserHead, {
    onSuccess: ({ image: savedImage }) => {
      updateSession({ image: savedImage });
      announceSuccess(t('avatarSaved'));
      forget();
    },
  });

  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    // Without the reset, choosing the same file again fires no change event.
    target.value = '';
    if (file) void take(file);
  };

  return (
    <div className="dc-person-avatar">
      <span className="dc-person-picture">
        {picture ? <img src={picture} alt={t('avatar')} /> : username.slice(0, 1).toUpperCase()}
      </span>
      <Button icon={<ImageUp size={15} aria-hidden />} onClick={() => input.current?.click()}>
        {t('avatarChange')}
      </Button>
      <span className="dc-muted dc-small">{t('avatarTypes')}</span>
      <span role="alert" className="dc-field-error dc-small">
        {problem}
      </span>
      <input ref={input} type="file" hidden accept={acceptOf(KINDS)} aria-label={t('avatarChange')} onChange={choose} />
      {address !== undefined && (
        <Suspense fallback={null}>
          <PictureCrop
            pictureUrl={address}
            round
            maxPixels={AVATAR_MAX_PIXELS}
            previewSizes={PREVIEW_SIZES}
            texts={{
              title: t('avatarCrop'),
              area: t('avatarCropArea'),
              preview: t('avatarPreview'),
              zoom: t('avatarZoom'),
              another: t('avatarAnother'),
            }}
            onCropped={(file) => upload.mutateAsync({ file })}
            onAnother={() => input.current?.click()}
            onClose={forget}
          />
        </Suspense>
      )}
    </div>
  );
};
