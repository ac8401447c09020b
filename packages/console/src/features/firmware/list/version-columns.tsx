import type { VersionRow } from '@device-center/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { usePlatformOperator } from '../../../api/platform-operator.ts';
import { useCan } from '../../../api/session.ts';
import { productPath, versionPath } from '../../../paths.ts';
import { CopyId } from '../../../ui/copy-id.tsx';
import type { Column } from '../../../ui/data-table.tsx';
import { nameColumn, tenantColumns } from '../../../ui/list-columns.tsx';
import { NameCell } from '../../../ui/name-cell.tsx';
import { Link } from '../../../ui/routing.ts';
import { timeColumns } from '../../../ui/time-columns.tsx';
import { sizeText } from '../sizes.ts';
import { DeviceShare } from './device-share.tsx';
import { TaskCount } from './task-count.tsx';

const HASH_SHOWN = 12;

const VersionName = ({ version: { versionId, versionName, versionNumber } }: { version: VersionRow }) => {
  const mayOpen = useCan('firmware:write');
  return (
    <NameCell id={versionNumber} name={versionName}>
      {mayOpen ? <Link to={versionPath(versionId, 2)}>{versionName}</Link> : <span>{versionName}</span>}
    </NameCell>
  );
};

export const ProductName = ({ version }: { version: Pick<VersionRow, 'productId' | 'productName'> }) => {
  const mayReadProducts = useCan('product:read');
  const { productId, productName } = version;
  return mayReadProducts ? <Link to={productPath(productId)}>{productName}</Link> : productName;
};

const useCommonColumns = () => {
  const { t } = useTranslation('firmware');
  return useMemo(
    () => ({
      name: nameColumn<VersionRow>({
        title: t('nameAndNumber'),
        render: (version) => <VersionName version={version} />,
      }),
      file: {
        key: 'file',
        title: t('file'),
        width: 170,
        render: ({ nickName, size }: VersionRow) => (
          <div className="dc-version-file">
            <span title={nickName}>{nickName}</span>
            <small className="dc-muted dc-number">{sizeText(size)}</small>
          </div>
        ),
      },
      sha256: {
        key: 'sha256',
        title: 'SHA-256',
        width: 150,
        render: ({ sha256, versionNumber }: VersionRow) => (
          <CopyId value={sha256} label={versionNumber} masked={`${sha256.slice(0, HASH_SHOWN)}…`} />
        ),
      },
      devices: {
        key: 'devices',
        title: t('running'),
        width: 140,
        mobile: true,
        render: ({ deviceCount, productDeviceCount }: VersionRow) => (
          <DeviceShare devices={deviceCount} all={productDeviceCount} />
        ),
      },
      tasks: {
        key: 'tasks',
        title: t('tasks'),
        width: 116,
        render: (version: VersionRow) => <TaskCount version={version} />,
      },
    }),
    [t],
  );
};

export const useVersionColumns = (): Column<VersionRow>[] => {
  const { t } = useTranslation('firmware');
  const operator = usePlatformOperator();
  const { name, file, sha256, devices, tasks } = useCommonColumns();
  return useMemo(
    () => [
      name,
      { key: 'product', title: t('product'), width: 150, render: (version) => <ProductName version={version} /> },
      ...tenantColumns<VersionRow>(operator, { title: t('tenant'), width: 120, optional: true }),
      file,
      sha256,
      devices,
      tasks,
      ...timeColumns<VersionRow>(['updateTime']),
    ],
    [t, operator, name, file, sha256, devices, tasks],
  );
};

/** The columns on a product's page. */
export const useProductVersionColumns = (): Column<VersionRow>[] => {
  const { name, file, sha256, devices, tasks } = useCommonColumns();
  return useMemo(
    () => [name, file, sha256, devices, tasks, ...timeColumns<VersionRow>(['updateTime'])],
    [name, file, sha256, devices, tasks],
  );
};
