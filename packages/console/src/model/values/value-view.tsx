import { type DataType, type Param, visibleText } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { unitOf, valueText } from './value-texts.ts';
import './value-view.css';

type ValueViewProps = {
  /** Undefined if the model does not define it, such as for a custom response of a device. */
  type: DataType | undefined;
  value: unknown;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const wordsOf = (type: DataType | undefined, value: unknown): string => {
  if (type) return [valueText(type, value), unitOf(type)].filter((word) => word !== '').join(' ');
  return visibleText(typeof value === 'string' ? value : JSON.stringify(value));
};

const Fields = ({ params, value }: { params: readonly Param[]; value: Record<string, unknown> }) => (
  <dl className="dc-value-lines">
    {Object.entries(value).map(([identifier, field]) => {
      const param = params.find((known) => known.identifier === identifier);
      return (
        <div key={identifier}>
          <dt title={identifier}>{param?.name ?? visibleText(identifier)}</dt>
          <dd>
            <ValueView type={param?.dataType} value={field} />
          </dd>
        </div>
      );
    })}
  </dl>
);

const Entries = ({ element, entries }: { element: DataType | undefined; entries: readonly unknown[] }) => (
  <ol className="dc-value-list">
    {entries.map((entry, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other identity and no state.
      <li key={index}>
        <ValueView type={element} value={entry} />
      </li>
    ))}
  </ol>
);

/** Read-only view of a value: an object with one line per field, a list of objects as a list of them. */
export const ValueView = ({ type, value }: ValueViewProps) => {
  const { t } = useTranslation('model');
  if (Array.isArray(value)) {
    const element = type?.type === 'array' ? type.element : undefined;
    if (value.some((entry) => typeof entry === 'object' && entry !== null))
      return <Entries element={element} entries={value} />;
    return value.length === 0 ? '—' : value.map((entry) => wordsOf(element, entry)).join(t('listSeparator'));
  }
  if (isObject(value)) {
    if (Object.keys(value).length === 0) return '—';
    return <Fields params={type?.type === 'json' ? type.fields : []} value={value} />;
  }
  return value === undefined || value === null ? '—' : wordsOf(type, value);
};
