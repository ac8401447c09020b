import { type ExportFormat, exportFormats, type ModelVersionRow, type ProductRow } from '@device-center/contract';
import { Checkbox, Dropdown, Table, type TableProps } from 'antd';
import { useTranslation } from 'react-i18next';
import { announceFailure } from '../../api/feedback.ts';
import { useCan } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { useMobile } from '../../ui/media.ts';
import { useReceivedReason } from '../../ui/received-tag.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { formatTexts } from './format-texts.ts';

type Delta = { kind: 'added' | 'changed' | 'removed'; sign: string; count: number };

/** Counts of changes: +added ~changed −removed. */
const VersionDelta = ({ version: { added, changed, removed } }: { version: ModelVersionRow }) => {
  const { t } = useTranslation('product');
  const deltas: Delta[] = [
    { kind: 'added', sign: '+', count: added },
    { kind: 'changed', sign: '~', count: changed },
    { kind: 'removed', sign: '−', count: removed },
  ];
  return (
    <span className="dc-version-delta" role="img" aria-label={t('versionChangesOf', { added, changed, removed })}>
      {deltas.map(({ kind, sign, count }) => (
        <span key={kind} data-kind={kind} data-none={count === 0}>
          {sign}
          {count}
        </span>
      ))}
    </span>
  );
};

type VersionTableProps = {
  product: ProductRow;
  versions: ModelVersionRow[];
  /** Versions selected for comparison. */
  selected: number[];
  onSelect: (modelVersion: number, on: boolean) => void;
  onView: (modelVersion: number) => void;
  onRestore: (modelVersion: number) => void;
};

/** Generates the file in the browser, with code that is loaded on demand. */
const download = async (product: ProductRow, modelVersion: number, format: ExportFormat): Promise<void> => {
  const { exportVersion } = await import('./export-version.ts');
  await exportVersion(product, modelVersion, format).catch(announceFailure);
};

export const VersionTable = (props: VersionTableProps) => {
  const { product, versions, selected, onSelect, onView, onRestore } = props;
  const { t } = useTranslation(['product', 'common']);
  const mayWrite = useCan('product:write');
  const received = useReceivedReason(product);
  const mobile = useMobile();

  const exportMenu = (modelVersion: number) => ({
    items: exportFormats.map((format) => ({
      key: format,
      label: t(`product:${formatTexts[format]}`),
      onClick: () => void download(product, modelVersion, format),
    })),
  });

  const columns: NonNullable<TableProps<ModelVersionRow>['columns']> = [
    {
      key: 'tick',
      width: 44,
      render: (_value, { modelVersion }) => (
        <Checkbox
          checked={selected.includes(modelVersion)}
          aria-label={t('product:versionSelect', { version: modelVersion })}
          onChange={(event) => onSelect(modelVersion, event.target.checked)}
        />
      ),
    },
    {
      key: 'version',
      title: t('product:versionColumn'),
      render: (_value, { modelVersion, restoredFrom }) => (
        <span className="dc-version-marks">
          <button type="button" className="dc-open-button" onClick={() => onView(modelVersion)}>
            {t('product:version', { version: modelVersion })}
          </button>
          {modelVersion === product.modelVersion && <span className="dc-tag">{t('product:versionCurrent')}</span>}
          {restoredFrom !== null && (
            <span className="dc-tag">{t('product:restoredFrom', { version: restoredFrom })}</span>
          )}
        </span>
      ),
    },
    {
      key: 'delta',
      title: t('product:versionChanges'),
      width: mobile ? 96 : 150,
      render: (_value, version) => <VersionDelta version={version} />,
    },
    ...(mobile
      ? []
      : [
          {
            key: 'functions',
            title: t('product:functions'),
            width: 90,
            align: 'right' as const,
            render: (_value: unknown, { functionCount }: ModelVersionRow) => (
              <span className="dc-number">{functionCount}</span>
            ),
          },
          {
            key: 'creator',
            title: t('product:creator'),
            width: 140,
            render: (_value: unknown, { creator }: ModelVersionRow) => creator,
          },
          {
            key: 'time',
            title: t('common:createTime'),
            width: 130,
            render: (_value: unknown, { createTime }: ModelVersionRow) => <RelativeTime value={createTime} />,
          },
        ]),
    {
      key: 'actions',
      title: <span className="dc-visually-hidden">{t('common:actions')}</span>,
      width: mobile ? 92 : 120,
      align: 'right',
      render: (_value, { modelVersion }) => (
        <div className="dc-row-actions">
          <Dropdown trigger={['click']} menu={exportMenu(modelVersion)}>
            <Button type="link" size="small">
              {t('product:versionExport')}
            </Button>
          </Dropdown>
          <RowMenu
            name={t('product:version', { version: modelVersion })}
            items={[
              { key: 'view', label: t('product:versionView'), onClick: () => onView(modelVersion) },
              ...(mayWrite && modelVersion !== product.modelVersion
                ? [
                    {
                      key: 'restore',
                      label: t('product:versionRestore'),
                      disabled: received !== undefined,
                      title: received,
                      onClick: () => onRestore(modelVersion),
                    },
                  ]
                : []),
            ]}
          />
        </div>
      ),
    },
  ];
  return (
    <section className="dc-card dc-table-card">
      <Table<ModelVersionRow>
        className="dc-table dc-table-comfortable"
        size="medium"
        rowKey="modelVersion"
        columns={columns}
        dataSource={versions}
        tableLayout={mobile ? 'auto' : 'fixed'}
        pagination={false}
      />
    </section>
  );
};
