import { useTranslation } from 'react-i18next';
import { useOnline } from './media.ts';
import { StatusDot } from './status-dot.tsx';

/** Online or not, in the words of the page; while the hub cannot be reached nobody knows. */
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
