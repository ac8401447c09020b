import type { SyncEffect } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { attributeLabel, isDeviceAttribute } from '../../../i18n/attribute-label.ts';
import { ChangeList } from '../../../model/change-list.tsx';
import './send-dialog.css';

const named = [
  'productName',
  'description',
  'nodeType',
  'protocolId',
  'classId',
  'allowMd5',
  'deviceName',
  'versionNumber',
  'parentId',
  'productId',
] as const;
type Named = (typeof named)[number];
const isNamed = (field: string): field is Named => named.some((known) => known === field);

const VALUES = 'values.';

/** Labels of fields. A newer hub may send fields that this console does not know. */
const useFieldLabel = () => {
  const { t } = useTranslation('sync');
  return (field: string): string => {
    if (field.startsWith(VALUES)) return t('value', { signCode: field.slice(VALUES.length) });
    if (isDeviceAttribute(field)) return attributeLabel(field);
    return isNamed(field) ? t(`field_${field}`) : field;
  };
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const tagClass: Record<SyncEffect['change'], string> = {
  created: 'dc-tag dc-tag-created',
  changed: 'dc-tag dc-tag-changed',
  same: 'dc-tag',
  older: 'dc-tag dc-tag-warning',
  refused: 'dc-tag dc-tag-failed',
};

export const ChangeTag = ({ change }: { change: SyncEffect['change'] }) => {
  const { t } = useTranslation('sync');
  return <span className={tagClass[change]}>{t(`change_${change}`)}</span>;
};

export const differencesIn = ({ fields, functions }: Pick<SyncEffect, 'fields' | 'functions'>): number =>
  fields.length + functions.length;

/** Differences between the two platforms: fields and values, then functions. */
export const EffectList = ({ effect: { fields, functions } }: { effect: Pick<SyncEffect, 'fields' | 'functions'> }) => {
  const { t } = useTranslation('sync');
  const words = useFieldLabel();
  const side = (value: unknown) => (value === undefined || value === '' ? <i>{t('nothing')}</i> : textOf(value));
  return (
    <>
      {fields.length > 0 && (
        <dl className="dc-sync-fields">
          {fields.map(({ field, before, after }) => (
            <div key={field}>
              <dt>{words(field)}</dt>
              <dd>
                <del>
                  <span className="dc-visually-hidden">{t('remote')} </span>
                  {side(before)}
                </del>
                <ins>
                  <span className="dc-visually-hidden">{t('local')} </span>
                  {side(after)}
                </ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {functions.length > 0 && <ChangeList difference={{ changes: functions, reordered: false }} />}
    </>
  );
};
