import { type CategoryRow, categoryCalls } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/session.ts';
import { useCallMutation } from '../../api/use-call.ts';
import { productListPath } from '../../paths.ts';
import { type AskToDelete, DeleteRows, Dependents } from '../../ui/delete-rows.tsx';
import { Link } from '../../ui/routing.ts';

const UsedCategories = ({ categories }: { categories: CategoryRow[] }) => {
  const { t } = useTranslation('category');
  const mayWriteProducts = useCan('product:write');
  const items = categories.map(({ categoryId, categoryName, productCount: count }) => ({
    id: categoryId,
    name: categoryName,
    links: mayWriteProducts ? (
      <Link to={productListPath} search={{ categoryId }}>
        {t('usedProducts', { count })}
      </Link>
    ) : (
      t('usedProducts', { count })
    ),
  }));
  return <Dependents title={t('usedTitle')} items={items} />;
};

type DeleteCategoriesProps = AskToDelete & { categories: CategoryRow[] };

/** The hub rejects deleting a category in use. The loaded counts show this before a request is sent. */
export const DeleteCategories = ({ categories, leaves = false, ...props }: DeleteCategoriesProps) => {
  const { t } = useTranslation('category');
  const single = useCallMutation(categoryCalls.deleteCategory, { toast: true, leaves });
  const several = useCallMutation(categoryCalls.deleteBatchCategory, { toast: true });
  const used = categories.filter(({ productCount }) => productCount > 0);
  const [first] = categories;
  return (
    <DeleteRows
      names={categories.map(({ categoryName }) => categoryName)}
      titles={{ one: (name) => t('deleteTitle', { name }), several: (count) => t('deleteManyTitle', { count }) }}
      text={<p>{t('deleteText')}</p>}
      blockedReason={used.length > 0 ? <UsedCategories categories={used} /> : undefined}
      remove={() =>
        categories.length === 1 && first
          ? single.mutateAsync({ categoryId: first.categoryId })
          : several.mutateAsync({ categoryIds: categories.map(({ categoryId }) => categoryId) })
      }
      {...props}
    />
  );
};
