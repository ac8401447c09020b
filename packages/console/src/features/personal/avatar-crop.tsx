import { personalCalls } from '@device-center/contract';
import { Button, Modal, Slider } from 'antd';
import { useEffect, useState } from 'react';
import Cropper, { type Area, type Point } from 'react-easy-crop';
import 'react-easy-crop/react-easy-crop.css';
import { useTranslation } from 'react-i18next';
import { announceSuccess } from '../../api/feedback.ts';
import { updateSession } from '../../api/session.ts';
import { useCommand } from '../../api/use-call.ts';
import './avatar-crop.css';
import { cropPicture } from './picture-file.ts';

const ZOOM_MAX = 4;
const ARROW_KEY_PIXELS = 8;
const MIDDLE: Point = { x: 0, y: 0 };

/** The chosen part, as large as it will be seen; sizes are percent of the whole picture. */
const Preview = ({ address, area, size }: { address: string; area: Area | undefined; size: number }) => {
  const part = area ?? { x: 0, y: 0, width: 100, height: 100 };
  return (
    <span className="dc-crop-preview" style={{ width: size, height: size }}>
      <img
        src={address}
        alt=""
        style={{
          width: `${10_000 / part.width}%`,
          height: `${10_000 / part.height}%`,
          left: `${(-100 * part.x) / part.width}%`,
          top: `${(-100 * part.y) / part.height}%`,
        }}
      />
    </span>
  );
};

type AvatarCropProps = { address: string; onAnother: () => void; onClose: () => void };

const AvatarCrop = ({ address, onAnother, onClose }: AvatarCropProps) => {
  const { t } = useTranslation(['personal', 'common']);
  const [crop, setCrop] = useState(MIDDLE);
  const [zoom, setZoom] = useState(1);
  const [area, setArea] = useState<{ percent: Area; pixels: Area }>();
  const [drawing, setDrawing] = useState(false);
  const upload = useCommand(personalCalls.updateUserHead, {
    onSuccess: ({ image }) => {
      updateSession({ image });
      announceSuccess(t('personal:avatarSaved'));
      onClose();
    },
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another picture starts from its middle.
  useEffect(() => {
    setCrop(MIDDLE);
    setZoom(1);
  }, [address]);

  const save = async () => {
    if (!area) return;
    setDrawing(true);
    try {
      upload.mutate({ file: await cropPicture(address, area.pixels) });
    } finally {
      setDrawing(false);
    }
  };

  return (
    <Modal
      open
      width={560}
      title={t('personal:avatarCrop')}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={
        <div className="dc-crop-footer">
          <Button onClick={onAnother}>{t('personal:avatarAnother')}</Button>
          <span />
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button type="primary" loading={drawing || upload.isPending} disabled={!area} onClick={() => void save()}>
            {t('common:save')}
          </Button>
        </div>
      }
    >
      <div className="dc-crop">
        <div className="dc-crop-stage">
          <Cropper
            image={address}
            aspect={1}
            cropShape="round"
            showGrid={false}
            crop={crop}
            zoom={zoom}
            minZoom={1}
            maxZoom={ZOOM_MAX}
            keyboardStep={ARROW_KEY_PIXELS}
            onCropChange={setCrop}
            onZoomChange={setZoom}
            onCropAreaChange={(percent, pixels) => setArea({ percent, pixels })}
            cropperProps={{ role: 'application', 'aria-label': t('personal:avatarCropArea') }}
            mediaProps={{ alt: '' }}
            // The hub's policy refuses styles without its nonce; ours come with the page's own.
            disableAutomaticStylesInjection
          />
        </div>
        <div className="dc-crop-side">
          <span className="dc-person-label">{t('personal:avatarPreview')}</span>
          <div className="dc-crop-previews">
            <Preview address={address} area={area?.percent} size={96} />
            <Preview address={address} area={area?.percent} size={28} />
          </div>
        </div>
        <div className="dc-crop-zoom">
          <span className="dc-person-label">{t('personal:avatarZoom')}</span>
          <Slider
            min={1}
            max={ZOOM_MAX}
            step={0.05}
            value={zoom}
            onChange={setZoom}
            tooltip={{ open: false }}
            ariaLabelForHandle={t('personal:avatarZoom')}
          />
        </div>
      </div>
    </Modal>
  );
};

export default AvatarCrop;
