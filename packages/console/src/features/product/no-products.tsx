import { categoryCalls } from '@device-center/contract';
import { Package, Plus, Shapes } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/session.ts';
import { useCall } from '../../api/use-call.ts';
import { categoryFormPath } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { useNavigate } from '../../ui/routing.ts';
import { EmptyState } from '../../ui/states.tsx';

/** Empty state. A product needs a category: if there is none, creating one is the next step. */
export const NoProducts = ({ create }: { create: ReactNode }) => {
  const { t } = useTranslation('product');
  const navigate = useNavigate();
  const mayCategories = useCan('category:write');
  const { data: categories } = useCall(categoryCalls.getCategoryList, { pageSize: 1 });
  if (categories?.total !== 0)
    return <EmptyState icon={<Package size={22} />} title={t('emptyTitle')} text={t('emptyText')} action={create} />;
  return (
    <EmptyState
      icon={<Shapes size={22} />}
      title={t('noCategoryTitle')}
      text={t(mayCategories ? 'noCategoryText' : 'noCategoryAsk')}
      action={
        mayCategories && (
          <Button
            type="primary"
            icon={<Plus size={16} aria-hidden />}
            onClick={() => void navigate({ to: categoryFormPath })}
          >
            {t('createCategory')}
          </Button>
        )
      }
    />
  );
};
