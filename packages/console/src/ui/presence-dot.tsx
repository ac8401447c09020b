import { useTranslation } from 'react-i18next';
import { useOnline } from './media.ts';
import { StatusDot } from './status-dot.tsx';

/** Presence of a device, with the text of the page; unknown while the hub is unreachable. */
export const PresenceDot = ({ online, children: state }: { online: boolean; children: string }) => {
  const { t } = useTranslation();
  const known = useOnline();
  if (known) return <StatusDot tone={online ? 'online' : 'offline'}>{state}</StatusDot>;
  return (
    <span title={t('presenceBefore', { state })}>
      <StatusDot tone="unknown">{t('presenceUnknown')}</StatusDot>
    </span>
  );
};
