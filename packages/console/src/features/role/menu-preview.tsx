import type { MenuNode } from '@device-center/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { MenuIcon } from '../../ui/menu-icon.tsx';
import { groupsOf, selectedGroups } from './menu-tree.ts';
import './role.css';

type MenuPreviewProps = { tree: readonly MenuNode[]; menus: readonly number[] };

/** Preview of the sidebar for users with the role. */
export const MenuPreview = ({ tree, menus }: MenuPreviewProps) => {
  const { t } = useTranslation('role');
  const groups = useMemo(() => groupsOf(tree), [tree]);
  const visible = selectedGroups(groups, new Set(menus));
  // As in the sidebar, a group with one page has no caption.
  const alone = new Set(groups.filter(({ leaves }) => leaves.length === 1).map(({ key }) => key));
  return (
    <div className="dc-menu-preview" data-empty={visible.length === 0}>
      {visible.length === 0 && <p>{t('previewEmpty')}</p>}
      {visible.map(({ key, name, leaves }) => (
        <div key={key}>
          {!alone.has(key) && <p className="dc-nav-caption">{name}</p>}
          <ul>
            {leaves.map((leaf) => (
              <li key={leaf.menuId} className="dc-nav-item">
                <MenuIcon name={leaf.icon} />
                <span>{leaf.name}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
};
