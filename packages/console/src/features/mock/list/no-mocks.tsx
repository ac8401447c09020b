import { FlaskConical, Timer } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/session.ts';
import { homePath } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { useNavigate } from '../../../ui/routing.ts';
import { EmptyState } from '../../../ui/states.tsx';

/** Empty state. Users with permission for every step are offered the getting-started guide. */
export const NoMocks = ({ create }: { create: ReactNode }) => {
  const { t } = useTranslation('mock');
  const navigate = useNavigate();
  const mayHome = useCan('home:read');
  const mayProducts = useCan('product:write');
  const guided = mayHome && mayProducts;
  return (
    <EmptyState
      icon={<FlaskConical size={22} />}
      title={t('emptyTitle')}
      text={t(guided ? 'emptyTextGuided' : 'emptyText')}
      action={
        <>
          {create}
          {guided && (
            <Button
              icon={<Timer size={16} aria-hidden />}
              onClick={() => void navigate({ to: homePath, search: { guide: 1 } })}
            >
              {t('guide')}
            </Button>
          )}
        </>
      }
    />
  );
};
