import { Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';

type Received = { received: 0 | 1 };

/** Reason why a received entity cannot be changed on this platform; undefined if it was not received. */
export const useReceivedReason = ({ received }: Received): string | undefined => {
  const { t } = useTranslation();
  return received === 1 ? t('receivedText') : undefined;
};

/** Tag of an entity that was received from another platform, which keeps managing it. */
export const ReceivedTag = ({ of }: { of: Received }) => {
  const { t } = useTranslation();
  const reason = useReceivedReason(of);
  if (reason === undefined) return null;
  return (
    <Tooltip title={reason}>
      <span className="dc-tag">{t('received')}</span>
    </Tooltip>
  );
};
