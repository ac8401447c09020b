import {
  bareFunction,
  CATEGORY_FUNCTIONS_MAX,
  categoryCalls,
  compareModels,
  type FunctionWithId,
  type Output,
  type ProductRow,
} from '@device-center/contract';
import { Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import { storedFunctionOf } from '../../api/read-model.ts';
import { useCall } from '../../api/use-call.ts';
import { ChangeList } from '../../model/change-list.tsx';
import { Loaded } from '../../ui/detail-page.tsx';

const DRAWER_WIDTH = 640;

type CompareWithCategoryProps = { product: ProductRow; functions: FunctionWithId[]; onClose: () => void };

export const CompareWithCategory = ({ product, functions, onClose }: CompareWithCategoryProps) => {
  const { t } = useTranslation('product');
  const { categoryId, categoryName } = product;
  const query = useCall(categoryCalls.getOpenFunctions, { categoryId, pageSize: CATEGORY_FUNCTIONS_MAX });
  return (
    <Drawer
      open
      onClose={onClose}
      size={DRAWER_WIDTH}
      title={t('compareCategoryTitle', { category: categoryName })}
      destroyOnHidden
    >
      <p className="dc-muted dc-compare-text">{t('compareCategoryText')}</p>
      <Loaded<Output<typeof categoryCalls.getOpenFunctions>> query={query}>
        {({ list }) => (
          // Ids differ between owners, so functions are matched by identifier only.
          <ChangeList
            difference={compareModels(list.map(storedFunctionOf).map(bareFunction), functions.map(bareFunction))}
          />
        )}
      </Loaded>
    </Drawer>
  );
};
