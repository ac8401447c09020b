import { useTranslation } from 'react-i18next';
import { fieldText } from './audit-texts.ts';
import type { Difference, Json } from './difference.ts';

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Highlights items that the other side lacks: one changed menu among a role's 30 is hard to find otherwise. */
const Items = ({ items, other }: { items: Json[]; other: Json[] }) => {
  const others = new Set(other.map(textOf));
  return (
    <span className="dc-diff-items">
      {items.map((item) => (
        <b key={textOf(item)} data-only={!others.has(textOf(item))}>
          {textOf(item)}
        </b>
      ))}
    </span>
  );
};

type ValueProps = { field: string; value: Json; other?: Json };

const Value = ({ field, value, other }: ValueProps) => {
  const { t } = useTranslation(['audit', 'common']);
  const empty = value === null || value === '' || (Array.isArray(value) && value.length === 0);
  if (empty) return <i>{t('audit:nothing')}</i>;
  if (Array.isArray(value)) return <Items items={value} other={Array.isArray(other) ? other : value} />;
  if (field.endsWith('enabled') && (value === 0 || value === 1))
    return t(value === 1 ? 'common:enabled' : 'common:disabled');
  return textOf(value);
};

const Side = ({ difference, side }: { difference: Difference; side: 'before' | 'after' }) => {
  const { t } = useTranslation('audit');
  const { field } = difference;
  const value = side in difference ? (difference as { before?: Json; after?: Json })[side] : undefined;
  if (value === undefined) return null;
  const other = difference.kind === 'changed' ? difference[side === 'before' ? 'after' : 'before'] : undefined;
  const shown = <Value field={field} value={value} {...(other === undefined ? {} : { other })} />;
  const label = <span className="dc-visually-hidden">{t(side)} </span>;
  return side === 'before' ? (
    <del>
      {label}
      {shown}
    </del>
  ) : (
    <ins>
      {label}
      {shown}
    </ins>
  );
};

export const DifferenceList = ({ differences }: { differences: Difference[] }) => {
  const { t } = useTranslation('audit');
  if (differences.length === 0) return <p className="dc-muted">{t('noDifferences')}</p>;
  return (
    <ul className="dc-diff">
      {differences.map((difference) => (
        <li key={difference.field}>
          <p>
            <strong title={difference.field}>{fieldText(difference.field)}</strong>
            <span className={`dc-diff-kind dc-diff-${difference.kind}`}>{t(difference.kind)}</span>
          </p>
          <div className="dc-diff-values">
            <Side difference={difference} side="before" />
            <Side difference={difference} side="after" />
          </div>
        </li>
      ))}
    </ul>
  );
};
