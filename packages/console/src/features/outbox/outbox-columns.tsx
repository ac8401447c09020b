import type { OutboxRow } from '@device-center/contract';
import { Mail, MessageSquareText } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../ui/data-table.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { OutboxState } from './outbox-state.tsx';

const icons = { mail: Mail, sms: MessageSquareText } as const;

export const Channel = ({ channel }: { channel: OutboxRow['channel'] }) => {
  const { t } = useTranslation('outbox');
  const Icon = icons[channel];
  return (
    <span className="dc-outbox-channel">
      <Icon size={15} aria-hidden /> {t(channel)}
    </span>
  );
};

export const useOutboxColumns = (onOpen: (message: OutboxRow) => void): Column<OutboxRow>[] => {
  const { t } = useTranslation('outbox');
  return useMemo(
    () => [
      {
        key: 'recipient',
        title: t('recipient'),
        always: true,
        mobile: true,
        render: (message) => (
          <div className="dc-name-cell">
            <button
              type="button"
              className="dc-open-button"
              aria-label={t('open', { recipient: message.recipient })}
              onClick={() => onOpen(message)}
            >
              {message.recipient}
            </button>
            <span className="dc-muted dc-small">{message.subject}</span>
          </div>
        ),
      },
      { key: 'channel', title: t('channel'), width: 140, render: ({ channel }) => <Channel channel={channel} /> },
      {
        key: 'state',
        title: t('state'),
        width: 120,
        mobile: true,
        always: true,
        render: ({ state }) => <OutboxState state={state} />,
      },
      {
        key: 'attempts',
        title: t('attempts'),
        width: 100,
        render: ({ attempts }) => <span className="dc-number">{attempts}</span>,
      },
      {
        key: 'error',
        title: t('error'),
        render: ({ error }) =>
          error === '' ? <span className="dc-muted">—</span> : <code className="dc-mono">{error}</code>,
      },
      {
        key: 'createTime',
        title: t('createTime'),
        width: 128,
        sortField: 1,
        render: ({ createTime }) => <RelativeTime value={createTime} />,
      },
      {
        key: 'sentTime',
        title: t('sentTime'),
        width: 128,
        render: ({ sentTime }) =>
          sentTime === null ? <span className="dc-muted">{t('notSent')}</span> : <RelativeTime value={sentTime} />,
      },
    ],
    [t, onOpen],
  );
};
