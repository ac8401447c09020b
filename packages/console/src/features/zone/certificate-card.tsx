import type { CertificateInfo } from '@device-center/contract';
import dayjs from 'dayjs';
import { useTranslation } from 'react-i18next';
import { CopyId } from '../../ui/copy-id.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { expiryOf } from './expiry.ts';

const day = (time: string): string => dayjs(time).format('YYYY-MM-DD');

const ExpiryTag = ({ certificate }: { certificate: CertificateInfo }) => {
  const { t } = useTranslation('zone');
  const expiry = expiryOf(certificate, Date.now());
  switch (expiry.kind) {
    case 'good':
      return null;
    case 'over':
      return <span className="dc-tag dc-tag-failed">{t('expired')}</span>;
    case 'notYet':
      return <span className="dc-tag dc-tag-warning">{t('notYetValid')}</span>;
    case 'soon':
      return <span className="dc-tag dc-tag-warning">{t('expiresIn', { count: expiry.days })}</span>;
  }
};

/** Attributes of a stored certificate; the file itself is never returned by the hub. */
export const CertificateCard = ({ certificate }: { certificate: CertificateInfo }) => {
  const { t } = useTranslation('zone');
  const { fileName, use, subject, issuer, validFrom, validTo, fingerprint } = certificate;
  return (
    <FactList
      className="dc-zone-certificate"
      facts={[
        { label: t('certificateFile'), value: fileName },
        { label: t('certificateUse'), value: t(`certificateUse_${use}`) },
        { label: t('subject'), value: subject },
        { label: t('issuer'), value: issuer },
        {
          label: t('valid'),
          value: (
            <>
              <span className="dc-time">{`${day(validFrom)} – ${day(validTo)}`}</span>{' '}
              <ExpiryTag certificate={certificate} />
            </>
          ),
        },
        { label: t('fingerprint'), value: <CopyId value={fingerprint} label={t('fingerprint')} /> },
      ]}
    />
  );
};
