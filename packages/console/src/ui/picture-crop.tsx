import { Modal, Slider } from 'antd';
import { useEffect, useState } from 'react';
import Cropper, { type Area, type Point } from 'react-easy-crop';
import 'react-easy-crop/react-easy-crop.css';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { cropPicture } from './picture-file.ts';
import './styles/picture-crop.css';

const ZOOM_MAX = 4;
const ARROW_KEY_PIXELS = 8;
const MIDDLE: Point = { x: 0, y: 0 };

type PreviewProps = { pictureUrl: string; area: Area | undefined; size: number; aspect: number; round: boolean };

/** Preview of the selected area in its final size. `area` is in percent of the whole picture. */
const Preview = ({ pictureUrl, area, size, aspect, round }: PreviewProps) => {
  const part = area ?? { x: 0, y: 0, width: 100, height: 100 };
  return (
    <span
      className={`dc-crop-preview${round ? ' dc-crop-round' : ''}`}
      style={{ width: size, height: Math.round(size / aspect) }}
    >
      <img
        src={pictureUrl}
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

export type PictureCropTexts = { title: string; area: string; preview: string; zoom: string; another: string };

type PictureCropProps = {
  /** Object URL of the picture to crop. */
  pictureUrl: string;
  texts: PictureCropTexts;
  /** Width divided by height of the cropped area. */
  aspect?: number;
  /** Shows a round frame; the cropped picture is rectangular in any case. */
  round?: boolean;
  /** Maximum length of the longer side. */
  maxPixels: number;
  /** Widths of the previews in pixels. */
  previewSizes: readonly number[];
  /** Saves the picture. The dialog stays open meanwhile and after a failure. */
  onCropped: (picture: Blob) => Promise<unknown>;
  onAnother: () => void;
  onClose: () => void;
};

/** Dialog to crop a picture. Load it lazily: it is rarely used. */
const PictureCrop = (props: PictureCropProps) => {
  const {
    pictureUrl,
    texts,
    aspect = 1,
    round = false,
    maxPixels,
    previewSizes,
    onCropped,
    onAnother,
    onClose,
  } = props;
  const { t } = useTranslation();
  const [crop, setCrop] = useState(MIDDLE);
  const [zoom, setZoom] = useState(1);
  const [area, setArea] = useState<{ percent: Area; pixels: Area }>();
  const [busy, setBusy] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another picture starts from its middle.
  useEffect(() => {
    setCrop(MIDDLE);
    setZoom(1);
  }, [pictureUrl]);

  const save = async () => {
    if (!area) return;
    setBusy(true);
    try {
      await onCropped(await cropPicture(pictureUrl, area.pixels, maxPixels));
    } catch {
      // A toast has shown the error; the dialog stays open for another attempt.
    } finally {
      setBusy(false);
    }
  };

  return (
    <Modal
      open
      width={560}
      title={texts.title}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={
        <div className="dc-crop-footer">
          <Button onClick={onAnother}>{texts.another}</Button>
          <span />
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="primary" loading={busy} disabled={!area} onClick={() => void save()}>
            {t('save')}
          </Button>
        </div>
      }
    >
      <div className="dc-crop">
        <div className="dc-crop-stage">
          <Cropper
            image={pictureUrl}
            aspect={aspect}
            cropShape={round ? 'round' : 'rect'}
            showGrid={false}
            crop={crop}
            zoom={zoom}
            minZoom={1}
            maxZoom={ZOOM_MAX}
            keyboardStep={ARROW_KEY_PIXELS}
            onCropChange={setCrop}
            onZoomChange={setZoom}
            onCropAreaChange={(percent, pixels) => setArea({ percent, pixels })}
            cropperProps={{ role: 'application', 'aria-label': texts.area }}
            mediaProps={{ alt: '' }}
            // The content security policy blocks styles without a nonce; the console's style sheet includes these styles.
            disableAutomaticStylesInjection
          />
        </div>
        <div className="dc-crop-side">
          <span className="dc-crop-label">{texts.preview}</span>
          <div className="dc-crop-previews">
            {previewSizes.map((size) => (
              <Preview
                key={size}
                pictureUrl={pictureUrl}
                area={area?.percent}
                size={size}
                aspect={aspect}
                round={round}
              />
            ))}
          </div>
        </div>
        <div className="dc-crop-zoom">
          <span className="dc-crop-label">{texts.zoom}</span>
          <Slider
            min={1}
            max={ZOOM_MAX}
            step={0.05}
            value={zoom}
            onChange={setZoom}
            tooltip={{ open: false }}
            ariaLabelForHandle={texts.zoom}
          />
        </div>
      </div>
    </Modal>
  );
};

export default PictureCrop;
