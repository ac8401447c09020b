import { visibleText } from '@device-center/contract';
import dayjs from 'dayjs';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { LiveState } from '../../api/live.ts';
import { LiveDot } from '../../ui/live-dot.tsx';
import { absoluteText } from '../../ui/relative-time.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import { FEED_SHOWN, type FeedItem } from './feed.ts';
import { feedTextOf } from './feed-texts.ts';
import type { Targets } from './paths.ts';
import { TargetLink } from './target-link.tsx';

const FeedRow = ({ item, targets }: { item: FeedItem; targets: Targets }) => {
  const { t } = useTranslation('home');
  if (item.kind === 'gap') return <li className="dc-feed-gap">{t('feedGap')}</li>;
  const { deviceId, deviceName, productName, time } = item.data;
  const { tone, title, detail } = feedTextOf(item);
  // Without a name the id belongs to no device, or to a deleted one.
  const known = deviceName !== '';
  return (
    <li>
      <time dateTime={time} title={absoluteText(time)}>
        {dayjs(time).format(dayjs(time).isSame(dayjs(), 'day') ? 'HH:mm:ss' : 'MM-DD HH:mm')}
      </time>
      <div>
        <p>
          <TargetLink target={known ? targets.device(deviceId) : undefined} title={deviceId}>
            {known ? deviceName : deviceId}
          </TargetLink>
          {productName !== '' && <small title={productName}>{productName}</small>}
        </p>
        <p>
          <StatusDot tone={tone}>{title}</StatusDot>
          {detail !== '' && (
            <small className="dc-feed-detail" title={visibleText(detail)}>
              {visibleText(detail)}
            </small>
          )}
        </p>
      </div>
    </li>
  );
};

type FeedCardProps = { items: readonly FeedItem[]; live: LiveState; targets: Targets };

/** The live event feed. */
export const FeedCard = ({ items, live, targets }: FeedCardProps) => {
  const { t } = useTranslation('home');
  const heading = useId();
  return (
    <section className="dc-card dc-home-card dc-feed" aria-labelledby={heading}>
      <header>
        <h2 id={heading}>{t('feed')}</h2>
        <LiveDot state={live} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard. */}
      <section className="dc-feed-scroll" tabIndex={0} aria-label={t('feedLatest', { count: FEED_SHOWN })}>
        {items.length === 0 ? (
          <p className="dc-home-nothing">{t('feedEmpty')}</p>
        ) : (
          <ol>
            {items.map((item) => (
              <FeedRow key={item.number} item={item} targets={targets} />
            ))}
          </ol>
        )}
      </section>
    </section>
  );
};
