import type { Attention } from '@device-center/contract';
import { DatabaseZap, RefreshCwOff, ShieldAlert, Unplug } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { countText } from '../../i18n/numbers.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { type CardQuery, HomeCard, Skeleton } from './home-card.tsx';
import type { Targets } from './paths.ts';
import { TargetLink } from './target-link.tsx';

const ICONS = {
  failedUpgrades: RefreshCwOff,
  offlineToday: Unplug,
  refusedLogins: ShieldAlert,
  lostMessages: DatabaseZap,
} as const satisfies Record<Attention['kind'], object>;

const AttentionRow = ({ entry, targets }: { entry: Attention; targets: Targets }) => {
  const { t } = useTranslation('home');
  const Icon = ICONS[entry.kind];
  return (
    <li>
      <Icon size={18} aria-hidden />
      <div>
        <p>
          <strong>{countText(entry.count)}</strong>
          <TargetLink target={targets.attention(entry)}>
            {t(`attention_${entry.kind}`, { count: entry.count })}
          </TargetLink>
          <small>
            {t('latest')} <RelativeTime value={entry.latest} />
          </small>
        </p>
        <p>{t(`attentionText_${entry.kind}`)}</p>
      </div>
    </li>
  );
};

/** What needs attention today; an empty list shows a plain sentence. */
export const AttentionCard = ({ query, targets }: { query: CardQuery<Attention[]>; targets: Targets }) => {
  const { t } = useTranslation('home');
  return (
    <HomeCard title={t('attention')} className="dc-home-attention" query={query} skeleton={<Skeleton rows={2} />}>
      {(entries) =>
        entries.length === 0 ? (
          <p className="dc-home-nothing">{t('attentionNone')}</p>
        ) : (
          <ul className="dc-attention">
            {entries.map((entry) => (
              <AttentionRow key={entry.kind} entry={entry} targets={targets} />
            ))}
          </ul>
        )
      }
    </HomeCard>
  );
};
