import type { VersionDetails } from '@device-center/contract';
import { Alert } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePlatformOperator } from '../../../api/platform-operator.ts';
import { useCan } from '../../../api/session.ts';
import { Button } from '../../../ui/button.tsx';
import { DetailPage } from '../../../ui/detail-page.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { useNavigate } from '../../../ui/routing.ts';
import { RowMenu } from '../../../ui/row-menu.tsx';
import { KeyValue } from '../../../ui/states.tsx';
import { DeleteVersions } from '../list/delete-versions.tsx';
import { TaskCount } from '../list/task-count.tsx';
import { ProductName } from '../list/version-columns.tsx';
import { FileFacts } from '../upload/file-facts.tsx';
import { ManifestCard } from './manifest-card.tsx';
import { RunningCard } from './running-card.tsx';
import './version-view.css';
import { taskFormPath, versionListPath, versionPath } from '../../../paths.ts';

const ViewActions = ({ version }: { version: VersionDetails }) => {
  const { t } = useTranslation(['firmware', 'common']);
  const navigate = useNavigate();
  const mayCreateTask = useCan('ota:write');
  const [deleting, setDeleting] = useState(false);
  const { versionId, versionName, unfinishedTaskCount } = version;
  return (
    <>
      <RowMenu
        name={versionName}
        items={[{ key: 'delete', label: t('common:delete'), danger: true, onClick: () => setDeleting(true) }]}
      />
      {unfinishedTaskCount === 0 && (
        <Button onClick={() => void navigate({ to: versionPath(versionId, 1) })}>{t('common:edit')}</Button>
      )}
      {mayCreateTask && (
        <Button type="primary" onClick={() => void navigate({ to: taskFormPath, search: { versionId, rollOut: 1 } })}>
          {t('firmware:rollOut')}
        </Button>
      )}
      {deleting && (
        <DeleteVersions
          versions={[version]}
          leaves
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate({ to: versionListPath })}
        />
      )}
    </>
  );
};

const Facts = ({ version }: { version: VersionDetails }) => {
  const { t } = useTranslation(['firmware', 'common']);
  const operator = usePlatformOperator();
  return (
    <>
      <h2>{t('firmware:facts')}</h2>
      <KeyValue
        items={[
          { label: t('firmware:product'), value: <ProductName version={version} /> },
          ...(operator ? [{ label: t('firmware:tenant'), value: version.tenancyName }] : []),
          { label: t('firmware:tasks'), value: <TaskCount version={version} /> },
          { label: t('firmware:creator'), value: version.creator },
          { label: t('common:createTime'), value: <RelativeTime value={version.createTime} /> },
          { label: t('common:updateTime'), value: <RelativeTime value={version.updateTime} /> },
        ]}
      />
    </>
  );
};

export const VersionView = ({ version }: { version: VersionDetails }) => {
  const { t } = useTranslation('firmware');
  return (
    <DetailPage
      title={version.versionName}
      id={version.versionNumber}
      backTo={versionListPath}
      actions={<ViewActions version={version} />}
      facts={<Facts version={version} />}
    >
      {version.unfinishedTaskCount > 0 && (
        <Alert
          className="dc-alert"
          type="info"
          showIcon
          title={t('readOnly', { count: version.unfinishedTaskCount })}
        />
      )}
      <div className="dc-version-cards">
        <section className="dc-card dc-version-card">
          <h2>{t('fileSection')}</h2>
          <FileFacts file={version} />
        </section>
        <RunningCard version={version} />
        <ManifestCard version={version} />
      </div>
    </DetailPage>
  );
};
