import { type OutboxRow, type Output, outboxCalls } from '@device-center/contract';
import { App, Drawer } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall, useCallMutation } from '../../api/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton, CopyId } from '../../ui/copy-id.tsx';
import { Loaded } from '../../ui/detail-page.tsx';
import { absoluteText } from '../../ui/relative-time.tsx';
import { KeyValue } from '../../ui/states.tsx';
import { Channel } from './outbox-columns.tsx';
import { OutboxState } from './outbox-state.tsx';
import { isDelivered, secretIn } from './secret-in.ts';

const DRAWER_WIDTH = 520;

type Message = Output<typeof outboxCalls.getOutboxMessage>;

/** Asks for confirmation: a user who reads a code or password could log in as its recipient. */
const RevealButton = ({ message, onRevealed }: { message: Message; onRevealed: (body: string) => void }) => {
  const { t } = useTranslation(['outbox', 'common']);
  const { modal } = App.useApp();
  const reveal = useCallMutation(outboxCalls.revealOutboxMessage, { onSuccess: ({ body }) => onRevealed(body) });
  const confirmReveal = () =>
    void modal.confirm({
      title: t('outbox:revealTitle'),
      content: t('outbox:revealText', { recipient: message.recipient }),
      okText: t('outbox:reveal'),
      cancelText: t('common:cancel'),
      onOk: () => reveal.mutate({ outboxId: message.outboxId }),
    });
  return (
    <Button loading={reveal.isPending} onClick={confirmReveal}>
      {t('outbox:reveal')}
    </Button>
  );
};

const MessageView = ({ message }: { message: Message }) => {
  const { t } = useTranslation('outbox');
  const [revealed, setRevealed] = useState<string>();
  const body = revealed ?? message.body;
  const secret = secretIn(body);
  const hidden = message.hidden === 1 && revealed === undefined;
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
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard. */}
        <section className="dc-panel" tabIndex={0} aria-label={t('text')}>
          {body}
        </section>
        <CopyButton value={body}>{t('copyText')}</CopyButton>
        {hidden && <RevealButton message={message} onRevealed={setRevealed} />}
        {!hidden && isDelivered(body) && <p className="dc-muted dc-small">{t('delivered')}</p>}
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
