import { bucketCalls, type VersionDetails } from '@device-center/contract';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announceFailure } from '../../../api/feedback.ts';
import { send } from '../../../api/send.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton, CopyId } from '../../../ui/copy-id.tsx';
import { downloadBlob } from '../../../ui/download.ts';
import { KeyValue } from '../../../ui/states.tsx';

/** For display only: the signed text does not have this whitespace. */
const pretty = (content: string): string => {
  try {
    return JSON.stringify(JSON.parse(content), null, 2);
  } catch {
    return content;
  }
};

const KeyButton = () => {
  const { t } = useTranslation('firmware');
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const { keyId, pem } = await send(bucketCalls.getFirmwareKey, {});
      downloadBlob(`firmware-key-${keyId}.pem`, new Blob([pem], { type: 'application/x-pem-file' }));
    } catch (error) {
      announceFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button size="small" icon={<KeyRound size={13} aria-hidden />} loading={busy} onClick={() => void save()}>
      {t('downloadKey')}
    </Button>
  );
};

export const ManifestCard = ({ version: { manifest } }: { version: VersionDetails }) => {
  const { t } = useTranslation('firmware');
  const { content, signature, keyId } = manifest;
  return (
    <section className="dc-card dc-version-card dc-long-ids">
      <header>
        <h2>{t('manifest')}</h2>
        <CopyButton value={JSON.stringify(manifest)}>{t('copyManifest')}</CopyButton>
        <KeyButton />
      </header>
      <p className="dc-muted">{t('manifestText')}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard. */}
      <pre className="dc-manifest" tabIndex={0}>
        {pretty(content)}
      </pre>
      <KeyValue
        items={[
          { label: t('signature'), value: <CopyId value={signature} label={t('signature')} /> },
          { label: t('keyId'), value: <CopyId value={keyId} label={t('keyId')} /> },
        ]}
      />
    </section>
  );
};
