import type { FirmwareFile } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { CopyId } from '../../../ui/copy-id.tsx';
import { KeyValue } from '../../../ui/states.tsx';
import './long-ids.css';
import { countText } from '../../../i18n/numbers.ts';
import { sizeText } from '../sizes.ts';

type FileFactsProps = { file: Pick<FirmwareFile, 'nickName' | 'size' | 'md5' | 'sha256'> };

/** What the hub's check has determined. */
export const FileFacts = ({ file: { nickName, size, md5, sha256 } }: FileFactsProps) => {
  const { t } = useTranslation('firmware');
  return (
    <div className="dc-long-ids">
      <KeyValue
        items={[
          { label: t('fileName'), value: nickName },
          {
            label: t('size'),
            value: (
              <span className="dc-number">{t('sizeAndBytes', { size: sizeText(size), bytes: countText(size) })}</span>
            ),
          },
          { label: 'MD5', value: <CopyId value={md5} label="MD5" /> },
          { label: 'SHA-256', value: <CopyId value={sha256} label="SHA-256" /> },
        ]}
      />
    </div>
  );
};
