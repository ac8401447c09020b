import { App } from 'antd';
import { ArrowDown } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { countText } from '../../../i18n/numbers.ts';
import { downloadText } from '../../../model/download.ts';
import { Button } from '../../../ui/button.tsx';
import { absoluteText } from '../../../ui/relative-time.tsx';
import { BUFFER_MAX, type LogBuffer, lastTimeOf, lineCount } from './log-buffer.ts';
import { filtered, type LogFilter, noFilter, shownText } from './log-filter.ts';
import { LogList } from './log-list.tsx';
import { LogToolbar } from './log-toolbar.tsx';

const useClock = (): number => {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
};

type LastLineProps = { at: number | undefined; earlier: string | undefined };

/** `earlier`: the time of the last line from before the page was opened. */
const LastLine = ({ at, earlier }: LastLineProps) => {
  const { t } = useTranslation('deviceDetail');
  const now = useClock();
  if (at === undefined)
    return <span>{earlier === undefined ? t('noLine') : t('lastLine', { time: absoluteText(earlier) })}</span>;
  const seconds = Math.max(0, Math.round((now - at) / 1_000));
  return <span>{t('lastLine', { time: seconds < 2 ? t('justNow') : t('secondsAgo', { count: seconds }) })}</span>;
};

/** Freezes the shown lines while the user scrolls back; the stream goes on in the background. */
const useFrozenView = (buffer: LogBuffer) => {
  const [frozen, setFrozen] = useState<{ buffer: LogBuffer; byScroll: boolean }>();
  const shown = frozen?.buffer ?? buffer;
  return {
    shown,
    paused: frozen !== undefined,
    newLines: buffer.received - shown.received,
    pause: () => setFrozen((known) => known ?? { buffer, byScroll: false }),
    leaveEnd: () => setFrozen((known) => known ?? { buffer, byScroll: true }),
    // A view that was paused by the button is only resumed by the button.
    reachEnd: () => setFrozen((known) => (known?.byScroll === true ? undefined : known)),
    follow: () => setFrozen(undefined),
  };
};

const useCopyLine = () => {
  const { t } = useTranslation('common');
  const { message } = App.useApp();
  return (text: string) => {
    void navigator.clipboard
      ?.writeText(text)
      .then(() => message.success({ key: 'copied', content: t('copied'), duration: 1 }));
  };
};

type LogViewerProps = {
  deviceId: string;
  buffer: LogBuffer;
  lastAt: number | undefined;
  onClear: () => void;
  /** Shown while there are no lines. */
  emptyState: ReactNode;
};

export const LogViewer = ({ deviceId, buffer, lastAt, onClear, emptyState }: LogViewerProps) => {
  const { t } = useTranslation('deviceDetail');
  const [filter, setFilter] = useState<LogFilter>(noFilter);
  const [wrap, setWrap] = useState(false);
  const { shown, paused, newLines, pause, leaveEnd, reachEnd, follow } = useFrozenView(buffer);
  const copy = useCopyLine();
  const entries = useMemo(() => filtered(shown.entries, filter), [shown, filter]);
  const total = useMemo(() => lineCount(shown.entries), [shown]);
  const visible = useMemo(() => lineCount(entries), [entries]);
  const clear = () => {
    follow();
    onClear();
  };
  const download = () =>
    downloadText({ filename: `${deviceId}-live.log`, contentType: 'text/plain', text: shownText(entries) });
  return (
    <section className="dc-live-viewer">
      <LogToolbar
        {...{ filter, wrap, paused }}
        onFilter={setFilter}
        onWrap={setWrap}
        onPause={pause}
        onFollow={follow}
        onDownload={download}
        onClear={clear}
      />
      {buffer.dropped > 0 && (
        <p className="dc-live-note" role="status">
          {t('bufferFull', { max: countText(BUFFER_MAX), dropped: countText(buffer.dropped) })}
        </p>
      )}
      <div className="dc-live-frame">
        {entries.length === 0 ? (
          <div className="dc-live-none">{total === 0 ? emptyState : <p>{t('noMatch')}</p>}</div>
        ) : (
          <LogList
            key={String(wrap)}
            entries={entries}
            wrap={wrap}
            following={!paused}
            onLeaveEnd={leaveEnd}
            onReachEnd={reachEnd}
            onCopy={copy}
          />
        )}
        {paused && newLines > 0 && (
          <Button
            className="dc-live-new"
            type="primary"
            needsHub={false}
            icon={<ArrowDown size={14} aria-hidden />}
            onClick={follow}
          >
            {t('newLines', { count: newLines })}
          </Button>
        )}
      </div>
      <footer className="dc-live-foot">
        <span className="dc-number">
          {visible === total
            ? t('lines', { total: countText(total), count: total })
            : t('linesOf', { shown: countText(visible), total: countText(total), count: total })}
        </span>
        {paused && <span>{t('paused')}</span>}
        <LastLine at={lastAt} earlier={lastTimeOf(shown.entries)} />
      </footer>
    </section>
  );
};
