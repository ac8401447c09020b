import { type OutboxRow, type Output, outboxCalls } from '@device-center/contract';
import { Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../api/use-call.ts';
import { CopyButton, CopyId } from '../../ui/copy-id.tsx';
import { Loaded } from '../../ui/detail-page.tsx';
import { absoluteText } from '../../ui/relative-time.tsx';
import { KeyValue } from '../../ui/states.tsx';
import { Channel } from './outbox-columns.tsx';
import { OutboxState } from './outbox-state.tsx';
import { isDelivered, secretIn } from './secret-in.ts';

const DRAWER_WIDTH = 520;

type Message = Output<typeof outboxCalls.getOutboxMessage>;

const MessageView = ({ message }: { message: Message }) => {
  const { t } = useTranslation('outbox');
  const secret = secretIn(message.body);
  return (
    <div className="dc-outbox-detail">
      {secret && (
        <p className="dc-outbox-secret">
          <span>{t(secret.kind)}</span>
          <CopyId value={secret.value} label={t(secret.kind)} />
        </p>
      )}
      <section>
        <h2>{message.subject}</h2>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
        <section className="dc-panel" tabIndex={0} aria-label={t('text')}>
          {message.body}
        </section>
        <CopyButton value={message.body}>{t('copyText')}</CopyButton>
        {isDelivered(message.body) && <p className="dc-muted dc-small">{t('delivered')}</p>}
      </section>
      <KeyValue
        items={[
          { label: t('recipient'), value: <CopyId value={message.recipient} label={t('recipient')} /> },
          { label: t('channel'), value: <Channel channel={message.channel} /> },
          { label: t('state'), value: <OutboxState state={message.state} /> },
          { label: t('attempts'), value: message.attempts },
          ...(message.error === ''
            ? []
            : [{ label: t('error'), value: <code className="dc-mono">{message.error}</code> }]),
          { label: t('createTime'), value: <span className="dc-time">{absoluteText(message.createTime)}</span> },
          {
            label: t('sentTime'),
            value:
              message.sentTime === null ? (
                t('notSent')
              ) : (
                <span className="dc-time">{absoluteText(message.sentTime)}</span>
              ),
          },
        ]}
      />
    </div>
  );
};

const MessageDetail = ({ outboxId }: { outboxId: string }) => {
  const query = useCall(outboxCalls.getOutboxMessage, { outboxId });
  return <Loaded<Message> query={query}>{(message) => <MessageView message={message} />}</Loaded>;
};

type OutboxDrawerProps = { message: OutboxRow | undefined; onClose: () => void };

export const OutboxDrawer = ({ message, onClose }: OutboxDrawerProps) => {
  const { t } = useTranslation('outbox');
  return (
    <Drawer open={message !== undefined} onClose={onClose} size={DRAWER_WIDTH} title={t('detailTitle')} destroyOnHidden>
      {message !== undefined && <MessageDetail outboxId={message.outboxId} />}
    </Drawer>
  );
};
