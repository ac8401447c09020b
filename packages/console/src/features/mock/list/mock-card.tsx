import { type MockRow, NodeType } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { usePlatformOperator } from '../../../api/platform-operator.ts';
import { type Fact, FactList } from '../../../ui/fact-list.tsx';
import { NodeTypeTile } from '../../../ui/node-type-tile.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { ChildCount, MockName, MockProduct, MockStatus, RunBy } from './mock-badges.tsx';

export const MockCard = ({ mock }: { mock: MockRow }) => {
  const { t } = useTranslation(['mock', 'common']);
  const operator = usePlatformOperator();
  const gateway = mock.nodeType === NodeType.gateway;
  const facts: Fact[] = [
    { label: t('mock:product'), value: <MockProduct mock={mock} /> },
    { label: t('mock:runBy'), value: <RunBy mock={mock} /> },
    { label: t('mock:nodeType'), value: mock.nodeTypeName },
    ...(gateway ? [{ label: t('mock:children'), value: <ChildCount mock={mock} /> }] : []),
    { label: t('mock:application'), value: mock.applicationName },
    ...(operator ? [{ label: t('mock:tenant'), value: mock.tenancyName }] : []),
    { label: t('common:createTime'), value: <RelativeTime value={mock.createTime} /> },
  ];
  return (
    <div className="dc-mock-card">
      <div className="dc-mock-head">
        <NodeTypeTile nodeType={mock.nodeType} size="medium" />
        <MockName mock={mock} />
      </div>
      <MockStatus mock={mock} />
      <FactList facts={facts} />
    </div>
  );
};
