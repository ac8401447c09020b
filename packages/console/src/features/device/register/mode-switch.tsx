import { Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { samePage, useNavigate, usePageSearch } from '../../../ui/routing.ts';
import { registerSearch } from './register-search.ts';

export const ModeSwitch = () => {
  const { t } = useTranslation('device');
  const navigate = useNavigate();
  const search = usePageSearch(registerSearch);
  return (
    <Segmented<'one' | 'file'>
      className="dc-register-mode"
      aria-label={t('registerMode')}
      value={search.from ?? 'one'}
      options={[
        { value: 'one', label: t('registerOne') },
        { value: 'file', label: t('registerMany') },
      ]}
      onChange={(mode) =>
        void navigate({
          to: samePage(registerSearch),
          search: { ...search, from: mode === 'file' ? mode : undefined },
          replace: true,
        })
      }
    />
  );
};
