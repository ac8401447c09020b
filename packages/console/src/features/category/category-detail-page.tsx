import { type CategoryRow, categoryCalls } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useCall } from '../../api/use-call.ts';
import { categoryListPath } from '../../paths.ts';
import { Loaded } from '../../ui/detail-page.tsx';
import { useRouteParams } from '../../ui/list-search.ts';
import { Link } from '../../ui/routing.ts';
import { CategoryView } from './category-view.tsx';

const params = z.object({ categoryId: z.string() });

const CategoryDetailPage = () => {
  const { t } = useTranslation('common');
  const { categoryId } = useRouteParams(params);
  const query = useCall(categoryCalls.getCategoryDetails, { categoryId });
  return (
    <Loaded<CategoryRow> query={query} action={<Link to={categoryListPath}>{t('back')}</Link>}>
      {(category) => <CategoryView key={category.categoryId} category={category} />}
    </Loaded>
  );
};

export default CategoryDetailPage;
