import { roleCalls } from '@device-center/contract';
import { Tooltip } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../api/use-call.ts';
import './role.css';

const SHOWN = 2;

/** Names of page menus; the id for menus that are not available to the user's tenant. */
export const useMenuNames = (): ((menuId: number) => string) => {
  // The sidebar's query, which is already cached.
  const { data } = useCall(roleCalls.queryMenuList, {}, { staleTime: 300_000 });
  return useMemo(() => {
    // If a leaf and its parent share an id, the leaf's name is used.
    const sorted = [...(data ?? [])].sort((a, b) => a.parentId - b.parentId);
    const names = new Map(sorted.map(({ menuId, name }) => [menuId, name]));
    return (menuId: number) => names.get(menuId) ?? String(menuId);
  }, [data]);
};

type MenuChipsProps = { menus: readonly number[]; nameOf: (menuId: number) => string };

export const MenuChips = ({ menus, nameOf }: MenuChipsProps) => {
  const { t } = useTranslation('role');
  const hiddenCount = menus.length - SHOWN;
  const names = menus.map(nameOf).join(t('listSeparator'));
  return (
    <Tooltip title={hiddenCount > 0 ? names : ''}>
      <span className="dc-menu-chips">
        {menus.slice(0, SHOWN).map((menuId) => (
          <span key={menuId} className="dc-tag">
            {nameOf(menuId)}
          </span>
        ))}
        {hiddenCount > 0 && <span className="dc-number">{t('moreMenus', { count: hiddenCount })}</span>}
      </span>
    </Tooltip>
  );
};
