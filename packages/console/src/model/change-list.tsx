import type { ModelChange, ModelDifference } from '@device-center/contract';
import { TriangleAlert } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChangeItem } from './change-item.tsx';
import '../ui/styles/reading.css';
import './change-list.css';

/** With more changes than this, details are collapsed. */
const EXPANDED_MAX = 15;
/** Number of changes shown before "Show more". */
const SHOWN = 60;

type ChangeListProps = { difference: ModelDifference; deviceCount?: number };

/** Breaking changes come first, so that a reader of only the top sees them. */
const inReadingOrder = (changes: ModelChange[]): ModelChange[] => [
  ...changes.filter(({ breaking }) => breaking),
  ...changes.filter(({ breaking }) => !breaking),
];

const useHeadline = (changes: ModelChange[], deviceCount: number | undefined): string | undefined => {
  const { t } = useTranslation('model');
  const breaking = changes.filter((change) => change.breaking).length;
  if (deviceCount === undefined) return breaking > 0 ? t('headlineBreaking', { breaking }) : undefined;
  if (deviceCount === 0) return breaking > 0 ? t('headlineNoDevices', { breaking }) : t('headlineCompatible');
  return t(breaking > 0 ? 'headline' : 'headlineSafe', { devices: deviceCount, breaking });
};

export const countChanges = ({ changes }: ModelDifference) => {
  const of = (kind: ModelChange['kind']) => changes.filter((change) => change.kind === kind).length;
  return { added: of('added'), changed: of('changed'), removed: of('removed') };
};

/** Lists the changes from one model to another. */
export const ChangeList = ({ difference, deviceCount }: ChangeListProps) => {
  const { t } = useTranslation('model');
  const [limit, setLimit] = useState(SHOWN);
  const { changes, reordered } = difference;
  const ordered = useMemo(() => inReadingOrder(changes), [changes]);
  const headline = useHeadline(changes, deviceCount);
  const breaking = changes.some((change) => change.breaking);
  if (changes.length === 0)
    return <p className="dc-muted dc-change-none">{t(reordered ? 'reordered' : 'noChanges')}</p>;
  return (
    <div className="dc-changes">
      {headline !== undefined && (
        <p className="dc-change-headline" data-breaking={breaking}>
          {breaking && <TriangleAlert size={16} aria-hidden />}
          <strong>{headline}</strong>
        </p>
      )}
      <p className="dc-muted">
        {t('changeCounts', countChanges(difference))}
        {reordered && t('andOrder')}
      </p>
      <ul>
        {ordered.slice(0, limit).map((change) => (
          <ChangeItem
            key={`${change.kind} ${change.signCode}`}
            change={change}
            folded={changes.length > EXPANDED_MAX}
          />
        ))}
      </ul>
      {ordered.length > limit && (
        <button type="button" className="dc-change-more" onClick={() => setLimit(Number.POSITIVE_INFINITY)}>
          {t('showMore', { count: ordered.length - limit })}
        </button>
      )}
    </div>
  );
};
