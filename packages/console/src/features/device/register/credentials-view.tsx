import { NodeType } from '@device-center/contract';
import { Alert, Checkbox, QRCode } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceListPath, devicePath } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-id.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { useNavigate } from '../../../ui/routing.ts';
import { SecretLines } from '../../../ui/secret-lines.tsx';
import { UnsavedGuard } from '../../../ui/unsaved-guard.tsx';
import { ConnectCard } from './connect-card.tsx';
import { type Credentials, credentialsJson } from './credentials.ts';

const QR_SIZE = 168;

const CredentialsCard = ({ credentials }: { credentials: Credentials }) => {
  const { t } = useTranslation('device');
  const { deviceId, deviceSecret, product } = credentials;
  const json = credentialsJson(credentials, location.origin);
  return (
    <section className="dc-card dc-padded dc-keys">
      <div className="dc-keys-main">
        <h2>{t('keysTitle')}</h2>
        <SecretLines
          lines={[
            { label: t('productKey'), value: product.productId, copy: t('copyProductKey') },
            { label: t('deviceId'), value: deviceId, copy: t('copyDeviceId') },
            { label: t('deviceSecret'), value: deviceSecret, copy: t('copyDeviceSecret') },
          ]}
        />
        <CopyButton value={json}>{t('copyJson')}</CopyButton>
      </div>
      <figure className="dc-keys-qr">
        <div className="dc-qr" role="img" aria-label={t('keysQr')}>
          <QRCode value={json} size={QR_SIZE} type="svg" color="#000" bgColor="#fff" bordered={false} />
        </div>
        <figcaption>{t('keysQr')}</figcaption>
      </figure>
    </section>
  );
};

type CredentialsViewProps = { credentials: Credentials; onAnother: () => void };

/** Shows the secret the only time that it is available, and how to connect the device with it. */
const CredentialsView = ({ credentials, onAnother }: CredentialsViewProps) => {
  const { t } = useTranslation('device');
  const navigate = useNavigate();
  const [stored, setStored] = useState(false);
  return (
    <div className="dc-register">
      <PageHeader
        title={t('registered', { name: credentials.deviceName })}
        backTo={deviceListPath}
        actions={
          <>
            <Button disabled={!stored} onClick={onAnother}>
              {t('registerAnother')}
            </Button>
            <Button
              type="primary"
              needsHub={false}
              onClick={() => void navigate({ to: devicePath(credentials.deviceId) })}
            >
              {t('openDevice')}
            </Button>
          </>
        }
      />
      <Alert
        type="warning"
        showIcon
        title={t('secretOnce')}
        action={
          <Checkbox checked={stored} onChange={({ target }) => setStored(target.checked)}>
            {t('secretStored')}
          </Checkbox>
        }
      />
      <CredentialsCard credentials={credentials} />
      {credentials.product.nodeType === NodeType.child ? (
        <section className="dc-card dc-padded">
          <p>{t('registerChild')}</p>
        </section>
      ) : (
        <ConnectCard credentials={credentials} />
      )}
      <UnsavedGuard isUnsaved={() => !stored} />
    </div>
  );
};

export default CredentialsView;
