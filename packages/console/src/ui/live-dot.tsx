import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StatusDot } from './status-dot.tsx';

const useSecondsUntil = (time: number): number => {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((time - now) / 1_000));
};

const Reconnecting = ({ retryAt }: { retryAt: number }) => {
  const { t } = useTranslation();
  const seconds = useSecondsUntil(retryAt);
  return <StatusDot tone="warning">{t('liveReconnecting', { seconds })}</StatusDot>;
};

type Line = { kind: 'connecting' | 'live' | 'paused' } | { kind: 'reconnecting'; retryAt: number };

/** Shows whether the page receives live events. */
export const LiveDot = ({ state }: { state: Line }) => {
  const { t } = useTranslation();
  switch (state.kind) {
    case 'live':
      return <StatusDot tone="online">{t('live')}</StatusDot>;
    case 'reconnecting':
      return <Reconnecting retryAt={state.retryAt} />;
    case 'connecting':
      return <StatusDot tone="offline">{t('liveConnecting')}</StatusDot>;
    case 'paused':
      return <StatusDot tone="offline">{t('livePaused')}</StatusDot>;
  }
};
