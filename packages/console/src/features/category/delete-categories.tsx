import { type CategoryRow, categoryCalls } from '@device-center/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/session.ts';
import { useCommand } from '../../api/use-call.ts';
import { ConfirmDelete } from '../../ui/confirm-delete.tsx';
import { productListPath } from './category-search.ts';

const NAMES_SHOWN = 10;

/** What stands in the way, by category, each with the way there. */
const UsedCategories = ({ categories }: { categories: CategoryRow[] }) => {
  const { t } = useTranslation('category');
  const mayProducts = useCan('product:write');
  return (
    <>
      <p>{t('usedTitle')}</p>
      {categories.map(({ categoryId, categoryName, productCount: count }) => (
        <div key={categoryId} className="dc-linked dc-linked-row">
          <strong>{categoryName}</strong>
          {mayProducts ? (
            <Link to={productListPath} search={{ categoryId } as never}>
              {t('usedProducts', { count })}
            </Link>
          ) : (
            t('usedProducts', { count })
          )}
        </div>
      ))}
    </>
  );
};

type DeleteCategoriesProps = { categories: CategoryRow[]; onClose: () => void; onDeleted: () => void };

/** One or several, all or none; the hub refuses what products use, and the counts at hand tell so beforehand. */
export const DeleteCategories = ({ categories, onClose, onDeleted }: DeleteCategoriesProps) => {
  const { t } = useTranslation('category');
  const [refused, setRefused] = useState<string>();
  const single = useCommand(categoryCalls.deleteCategory, { toast: true });
  const several = useCommand(categoryCalls.deleteBatchCategory, { toast: true });
  const used = categories.filter(({ productCount }) => productCount > 0);
  const [first] = categories;
  const count = categories.length;
  const names = categories.slice(0, NAMES_SHOWN).map(({ categoryName }) => categoryName);

  const confirm = async () => {
    try {
      if (count === 1 && first) await single.mutateAsync({ categoryId: first.categoryId });
      else await several.mutateAsync({ categoryIds: categories.map(({ categoryId }) => categoryId) });
      onDeleted();
    } catch (error) {
      // The list may have been older than the truth.
      setRefused(error instanceof Error ? error.message : String(error));
    }
  };

  return (
    <ConfirmDelete
      open
      title={count === 1 ? t('deleteTitle', { name: first?.categoryName ?? '' }) : t('deleteManyTitle', { count })}
      text={
        <>
          <p>{t('deleteText')}</p>
          {count > 1 && (
            <p>
              {names.join(t('listSeparator'))}
              {count > NAMES_SHOWN && ' …'}
            </p>
          )}
        </>
      }
      refusal={used.length > 0 ? <UsedCategories categories={used} /> : refused}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
};
