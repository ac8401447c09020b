import { type DeviceDetails, deviceCalls } from '@device-center/contract';
import { App } from 'antd';
import { Download } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../api/use-call.ts';
import { countText } from '../../i18n/numbers.ts';
import { qrPath } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceSelect } from '../../ui/choice-select.tsx';
import { CopyButton } from '../../ui/copy-id.tsx';
import { Loaded } from '../../ui/detail-page.tsx';
import { useNavigate } from '../../ui/routing.ts';
import { CodePicture } from './code-picture.tsx';
import { fillContent } from './content.ts';
import { ContentField } from './content-field.tsx';
import type { DesignProps } from './design.ts';
import { type Drawing, drawCode, isDrawingError } from './drawing.ts';
import { bytesOf, capacity, type Level } from './encode.ts';
import { drawingErrorText } from './error-texts.ts';
import { LabelledField } from './labelled-field.tsx';
import { savePng, saveSvg } from './save-picture.ts';
import { StyleSection } from './style-section.tsx';
import { useDeviceChoices } from './use-device-choices.ts';
import type { Logo } from './use-logo.ts';

type OneCodeProps = DesignProps & { deviceId: string; logo: Logo };

const DeviceField = ({ deviceId, device }: { deviceId: string; device: DeviceDetails | undefined }) => {
  const { t } = useTranslation('qrCode');
  const navigate = useNavigate();
  const choices = useDeviceChoices({ deviceId, deviceName: device?.deviceName ?? '' });
  return (
    <LabelledField label={t('deviceId')} required hint={device?.deviceName ?? ' '}>
      {({ id }) => (
        <ChoiceSelect
          id={id}
          className="dc-qr-device"
          choices={choices}
          value={deviceId}
          onChange={(chosen) => {
            if (chosen !== undefined) void navigate({ to: qrPath(chosen), search: true, replace: true });
          }}
        />
      )}
    </LabelledField>
  );
};

const Filled = ({ content, level }: { content: string; level: Level }) => {
  const { t } = useTranslation('qrCode');
  return (
    <section className="dc-qr-filled" aria-label={t('filled')}>
      <h2>{t('filled')}</h2>
      <pre className="dc-mono">{content}</pre>
      <span className="dc-muted dc-small">
        {t('bytes', {
          bytes: countText(bytesOf(content).length),
          limit: countText(capacity[level]),
        })}
      </span>
    </section>
  );
};

type SavableProps = { device: DeviceDetails; drawing: Drawing; content: string };

const SavablePicture = ({ device: { deviceId, deviceName }, drawing, content }: SavableProps) => {
  const { t } = useTranslation('qrCode');
  const { message } = App.useApp();
  const picture = useRef<SVGSVGElement>(null);
  const savePicture = async () => {
    try {
      await savePng(deviceId, drawing);
    } catch {
      void message.error(t('saveFailed'));
    }
  };
  return (
    <>
      <div className="dc-qr-paper">
        <CodePicture ref={picture} drawing={drawing} title={t('pictureOf', { name: deviceName })} />
      </div>
      <div className="dc-qr-actions">
        <Button type="primary" icon={<Download size={16} aria-hidden />} onClick={() => void savePicture()}>
          {t('savePng')}
        </Button>
        <Button
          icon={<Download size={16} aria-hidden />}
          onClick={() => picture.current && saveSvg(deviceId, picture.current)}
        >
          {t('saveSvg')}
        </Button>
        <CopyButton value={content}>{t('copyContent')}</CopyButton>
      </div>
    </>
  );
};

/** Page of the code of one device, which can be saved as a picture. */
export const OneCode = ({ deviceId, design, onDesign, logo }: OneCodeProps) => {
  const { t } = useTranslation('qrCode');
  const query = useCall(deviceCalls.getDeviceDetails, { deviceId });
  const device = query.data;
  const content = device ? fillContent(design.content, device) : '';
  const caption = device && design.caption ? { name: device.deviceName, id: deviceId } : undefined;
  const drawn = device && drawCode(content, caption, { ...design, logo: logo.logo });
  const problem = drawn && isDrawingError(drawn) ? drawingErrorText(drawn) : '';
  return (
    <div className="dc-form-columns">
      <div className="dc-form-main">
        <section className="dc-card dc-form-section" aria-label={t('whatIsIn')}>
          <h2>{t('whatIsIn')}</h2>
          <DeviceField deviceId={deviceId} device={device} />
          <ContentField design={design} onDesign={onDesign} problem={problem} />
        </section>
        <StyleSection design={design} onDesign={onDesign} logo={logo} withSize />
      </div>
      <aside className="dc-card dc-padded dc-qr-preview" aria-label={t('preview')}>
        <Loaded query={query}>
          {(loaded) => (
            <>
              {drawn && !isDrawingError(drawn) ? (
                <SavablePicture device={loaded} drawing={drawn} content={content} />
              ) : (
                <p className="dc-qr-none">{t('noCode')}</p>
              )}
              <Filled content={content} level={design.level} />
            </>
          )}
        </Loaded>
      </aside>
    </div>
  );
};
