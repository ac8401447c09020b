import { ArrowDown } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { countText } from '../../../i18n/numbers.ts';
import { Button } from '../../../ui/button.tsx';
import { BUFFER_MAX, type MessageBuffer } from './message-buffer.ts';
import { MessageDrawer } from './message-drawer.tsx';
import type { Entry } from './message-entry.ts';
import { filtered, type MessageFilter, noFilter } from './message-filter.ts';
import { MessageList } from './message-list.tsx';
import type { MessageStore } from './message-store.ts';
import { MessageTools } from './message-tools.tsx';
import { usePanel } from './panel-context.ts';
import './messages.css';

/** While paused, the view shows a frozen buffer; new messages are still received. */
const usePausableView = ({ store }: MessageStore) => {
  const buffer = useStore(store);
  const [frozen, setFrozen] = useState<{ buffer: MessageBuffer; byScroll: boolean }>();
  const freeze = useCallback(
    (byScroll: boolean) => setFrozen((known) => known ?? { buffer: store.getState(), byScroll }),
    [store],
  );
  const shown = frozen?.buffer ?? buffer;
  return {
    buffer,
    shown,
    paused: frozen !== undefined,
    newMessages: buffer.received - shown.received,
    pause: useCallback(() => freeze(false), [freeze]),
    leaveEnd: useCallback(() => freeze(true), [freeze]),
    // A pause by the button ends only by the button.
    reachEnd: useCallback(() => setFrozen((known) => (known?.byScroll === true ? undefined : known)), []),
    follow: useCallback(() => setFrozen(undefined), []),
  };
};

const EmptyLog = ({ any, onClearFilter }: { any: boolean; onClearFilter: () => void }) => {
  const { t } = useTranslation(['mockPanel', 'common']);
  const { online } = usePanel();
  if (any)
    return (
      <>
        <p>{t('mockPanel:noMatch')}</p>
        <Button size="small" onClick={onClearFilter}>
          {t('common:clearFilters')}
        </Button>
      </>
    );
  return <p>{t(online ? 'mockPanel:noMessages' : 'mockPanel:noMessagesOffline')}</p>;
};

/** Live log of all messages in both directions. */
export const MessageLog = ({ messages }: { messages: MessageStore }) => {
  const { t } = useTranslation('mockPanel');
  const [filter, setFilter] = useState<MessageFilter>(noFilter);
  const [opened, setOpened] = useState<Entry>();
  const { buffer, shown, paused, newMessages, pause, leaveEnd, reachEnd, follow } = usePausableView(messages);
  const entries = useMemo(() => filtered(shown.entries, filter), [shown, filter]);
  const total = shown.entries.length;
  const clear = useCallback(() => {
    follow();
    messages.clear();
  }, [follow, messages]);
  // Read on copy or download, so that the tools do not render for every message.
  const latest = useRef(entries);
  useEffect(() => {
    latest.current = entries;
  });
  const shownEntries = useCallback(() => latest.current, []);
  return (
    <section className="dc-messages" aria-label={t('messages')}>
      <MessageTools
        {...{ filter, paused, shownEntries }}
        isEmpty={buffer.entries.length === 0}
        noneShown={entries.length === 0}
        onFilter={setFilter}
        onPause={pause}
        onFollow={follow}
        onClear={clear}
      />
      <div className="dc-messages-frame">
        {entries.length === 0 ? (
          <div className="dc-messages-none">
            <EmptyLog any={total > 0} onClearFilter={() => setFilter(noFilter)} />
          </div>
        ) : (
          <MessageList
            entries={entries}
            following={!paused}
            onLeaveEnd={leaveEnd}
            onReachEnd={reachEnd}
            onOpen={setOpened}
          />
        )}
        {paused && (
          <Button
            className="dc-messages-new"
            type="primary"
            icon={<ArrowDown size={14} aria-hidden />}
            onClick={follow}
          >
            {newMessages > 0 ? t('newMessages', { count: newMessages }) : t('toEnd')}
          </Button>
        )}
      </div>
      <footer className="dc-messages-foot">
        <span className="dc-number">
          {entries.length === total
            ? t('messageCount', { total: countText(total), count: total })
            : t('messageCountOf', { shown: countText(entries.length), total: countText(total), count: total })}
        </span>
        {buffer.dropped > 0 && (
          <span className="dc-number">
            {t('removedMessages', { max: countText(BUFFER_MAX), dropped: countText(buffer.dropped) })}
          </span>
        )}
        {paused && <span>{t('paused')}</span>}
      </footer>
      <MessageDrawer entry={opened} onClose={() => setOpened(undefined)} />
    </section>
  );
};
