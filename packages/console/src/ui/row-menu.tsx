import { Dropdown, type MenuProps } from 'antd';
import { Ellipsis } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { useOnline } from './media.ts';

export type RowMenuItem = {
  key: string;
  label: string;
  danger?: boolean;
  disabled?: boolean;
  /** Why it is disabled. */
  title?: string | undefined;
  onClick: () => void;
};

/** The "…" menu of a row or page; renders nothing if it has no items. */
export const RowMenu = ({ name, items }: { name: string; items: RowMenuItem[] }) => {
  const { t } = useTranslation();
  const online = useOnline();
  if (items.length === 0) return null;
  const menu: MenuProps = { items: items.map((item) => (item.danger && !online ? { ...item, disabled: true } : item)) };
  return (
    <Dropdown trigger={['click']} placement="bottomRight" menu={menu}>
      <Button type="text" size="small" aria-label={`${t('more')}: ${name}`} icon={<Ellipsis size={16} aria-hidden />} />
    </Dropdown>
  );
};
