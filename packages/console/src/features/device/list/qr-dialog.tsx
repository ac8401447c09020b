import type { DeviceRow } from '@device-center/contract';
import { Button, Modal, QRCode } from 'antd';
import { Download } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../ui/copy-id.tsx';
import { downloadBlob } from './download.ts';

const SIZE = 240;

type QrDialogProps = { device: Pick<DeviceRow, 'deviceId' | 'deviceName' | 'productId'>; onClose: () => void };

/** Which device it is, for whoever stands before it. No secret: a sticker is for everybody's eyes. */
const QrDialog = ({ device: { deviceId, deviceName, productId }, onClose }: QrDialogProps) => {
  const { t } = useTranslation(['device', 'common']);
  const frame = useRef<HTMLDivElement>(null);
  const content = JSON.stringify({ productId, deviceId });
  const save = () =>
    frame.current
      ?.querySelector('canvas')
      ?.toBlob((picture) => picture && downloadBlob(`${deviceId.replaceAll(':', '_')}.png`, picture));
  return (
    <Modal
      open
      title={t('device:qrTitle', { name: deviceName })}
      width={360}
      onCancel={onClose}
      footer={
        <>
          <CopyButton value={content}>{t('device:qrCopy')}</CopyButton>
          <Button type="primary" size="small" icon={<Download size={14} aria-hidden />} onClick={save}>
            {t('device:qrSave')}
          </Button>
        </>
      }
    >
      <div ref={frame} className="dc-qr" role="img" aria-label={t('device:qrTitle', { name: deviceName })}>
        {/* Dark on white in either theme: that is what scanners read. */}
        <QRCode value={content} size={SIZE} type="canvas" color="#000" bgColor="#fff" bordered={false} />
      </div>
      <code className="dc-qr-content">{content}</code>
    </Modal>
  );
};

export default QrDialog;
