import type { OutboxRow } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { StatusDot, type Tone } from '../../ui/status-dot.tsx';

const tones: Record<OutboxRow['state'], Tone> = {
  pending: 'running',
  sent: 'online',
  kept: 'warning',
  failed: 'failed',
};

export const OutboxState = ({ state }: { state: OutboxRow['state'] }) => {
  const { t } = useTranslation('outbox');
  return <StatusDot tone={tones[state]}>{t(state)}</StatusDot>;
};
