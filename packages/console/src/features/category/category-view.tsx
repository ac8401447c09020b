import type { CategoryRow } from '@device-center/contract';
import { Alert } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePlatformOperator } from '../../api/platform-operator.ts';
import { useCan } from '../../api/session.ts';
import { categoryFormPath, categoryListPath, productFormPath } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { DetailPage } from '../../ui/detail-page.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useNavigate } from '../../ui/routing.ts';
import { RowMenu } from '../../ui/row-menu.tsx';
import { KeyValue } from '../../ui/states.tsx';
import { CategoryFunctions } from './category-functions.tsx';
import { CategoryKind, FunctionCounts, ProductCount } from './category-parts.tsx';
import { forNewProduct } from './category-search.ts';
import { DeleteCategories } from './delete-categories.tsx';
import { useMayChange } from './may-change.ts';

const Actions = ({ category, onDelete }: { category: CategoryRow; onDelete: () => void }) => {
  const { t } = useTranslation(['category', 'common']);
  const navigate = useNavigate();
  const mayWriteProducts = useCan('product:write');
  const changeable = useMayChange()(category);
  const { categoryId, categoryName } = category;
  return (
    <>
      {changeable && (
        <>
          <RowMenu
            name={categoryName}
            items={[{ key: 'delete', label: t('common:delete'), danger: true, onClick: onDelete }]}
          />
          <Button onClick={() => void navigate({ to: categoryFormPath, search: { categoryId } })}>
            {t('common:edit')}
          </Button>
        </>
      )}
      {mayWriteProducts && (
        <Button type="primary" onClick={() => void navigate({ to: productFormPath, search: forNewProduct(category) })}>
          {t('category:createProduct')}
        </Button>
      )}
    </>
  );
};

const Facts = ({ category }: { category: CategoryRow }) => {
  const { t } = useTranslation(['category', 'common']);
  const operator = usePlatformOperator();
  return (
    <KeyValue
      items={[
        { label: t('category:description'), value: category.description },
        ...(operator ? [{ label: t('category:tenant'), value: category.tenancyName }] : []),
        { label: t('category:functions'), value: <FunctionCounts category={category} /> },
        { label: t('category:products'), value: <ProductCount category={category} /> },
        { label: t('category:modelVersion'), value: <span className="dc-number">{category.modelVersion}</span> },
        { label: t('common:createTime'), value: <RelativeTime value={category.createTime} /> },
        { label: t('common:updateTime'), value: <RelativeTime value={category.updateTime} /> },
      ]}
    />
  );
};

export const CategoryView = ({ category }: { category: CategoryRow }) => {
  const { t } = useTranslation('category');
  const navigate = useNavigate();
  const operator = usePlatformOperator();
  const mayWrite = useCan('category:write');
  const [deleting, setDeleting] = useState(false);
  const changeable = useMayChange()(category);
  const { categoryId, categoryName, standard } = category;
  return (
    <div className="dc-category-page">
      <DetailPage
        title={categoryName}
        id={categoryId}
        backTo={categoryListPath}
        status={<CategoryKind standard={standard} />}
        actions={<Actions category={category} onDelete={() => setDeleting(true)} />}
        facts={<Facts category={category} />}
      >
        {standard === 1 && !operator && (
          <Alert
            className="dc-alert"
            type="info"
            showIcon
            title={t('readOnly')}
            action={
              mayWrite && (
                <Button
                  size="small"
                  onClick={() => void navigate({ to: categoryFormPath, search: { copyFrom: categoryId } })}
                >
                  {t('startFromThis')}
                </Button>
              )
            }
          />
        )}
        <CategoryFunctions category={category} readOnly={!changeable} />
        {deleting && (
          <DeleteCategories
            categories={[category]}
            leaves
            onClose={() => setDeleting(false)}
            onDeleted={() => void navigate({ to: categoryListPath })}
          />
        )}
      </DetailPage>
    </div>
  );
};
