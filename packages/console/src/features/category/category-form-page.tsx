import { type CategoryRow, categoryCalls } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../api/use-call.ts';
import { categoryListPath, categoryPath } from '../../paths.ts';
import { Loaded } from '../../ui/detail-page.tsx';
import { Link, Navigate, usePageSearch } from '../../ui/routing.ts';
import { categoryFormSearch } from './category-search.ts';
import { CreateCategory } from './create-category.tsx';
import { EditCategory } from './edit-category.tsx';
import { useMayChange } from './may-change.ts';

/** Edits the category of `categoryId` in the address, or creates one without it. */
const CategoryFormPage = () => {
  const { t } = useTranslation('common');
  const mayChange = useMayChange();
  const { categoryId = '' } = usePageSearch(categoryFormSearch);
  const query = useCall(categoryCalls.getCategoryDetails, { categoryId }, { enabled: categoryId !== '' });
  if (categoryId === '') return <CreateCategory />;
  return (
    <Loaded<CategoryRow> query={query} action={<Link to={categoryListPath}>{t('back')}</Link>}>
      {(category) =>
        mayChange(category) ? (
          <EditCategory key={category.categoryId} category={category} />
        ) : (
          <Navigate to={categoryPath(category.categoryId, category.categoryName)} replace />
        )
      }
    </Loaded>
  );
};

export default CategoryFormPage;
