import { Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';

type Received = { received: 0 | 1 };

/** Why it cannot be changed here; nothing of what is managed here. */
export const useReceivedReason = ({ received }: Received): string | undefined => {
  const { t } = useTranslation();
  return received === 1 ? t('receivedText') : undefined;
};

/** Of what another hub has sent and goes on managing. */
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
