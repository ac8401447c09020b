import { type MenuRow, roleCalls } from '@device-center/contract';
import { useLocation, useMatches } from '@tanstack/react-router';
import { Drawer, Tooltip } from 'antd';
import { ExternalLink } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { updateMenus, useSession } from '../api/session.ts';
import { useCall } from '../api/use-call.ts';
import { Link, pathFrom } from '../ui/routing.ts';
import { MenuIcon } from './menu-icon.tsx';
import { isExternal, navigationOf } from './navigation.ts';
import { pages } from './pages.ts';
import { useReloadView } from './reload-view.ts';

const NavItem = ({ menu, active, open }: { menu: MenuRow; active: boolean; open: boolean }) => {
  const { t } = useTranslation('shell');
  const reload = useReloadView();
  const { pathname } = useLocation();
  const content = (
    <>
      <MenuIcon name={menu.icon} />
      <span>{menu.name}</span>
    </>
  );
  const name = open ? {} : { 'aria-label': menu.name };
  const link = isExternal(menu.path) ? (
    <a className="dc-nav-item" href={menu.path} target="_blank" rel="noreferrer" {...name}>
      {content}
      <ExternalLink className="dc-nav-external" size={13} aria-label={t('newTab')} />
    </a>
  ) : (
    <Link
      className="dc-nav-item"
      to={pathFrom(menu.path)}
      data-active={active}
      aria-current={active ? 'page' : undefined}
      // A click on the current page remounts it.
      onClick={() => pathname === menu.path && reload()}
      {...name}
    >
      {content}
    </Link>
  );
  return (
    <Tooltip title={open ? '' : menu.name} placement="right">
      {link}
    </Tooltip>
  );
};

/** Returns whether a menu is active: that of the page, or for a form or detail page that of its list. */
const useActiveMenu = () => {
  const { pathname } = useLocation();
  const route = useMatches().at(-1)?.fullPath;
  const owners = pages.find(({ path }) => path === route)?.menus ?? [];
  return ({ path, menuId }: MenuRow): boolean => pathname === path || owners[0] === menuId;
};

/** Updates the stored menus from the role, so that granted or revoked pages appear or disappear. */
const useFreshMenus = (roleId: string | undefined, ready: boolean): void => {
  const { data } = useCall(roleCalls.getRoleMenu, { roleId: roleId ?? '' }, { enabled: ready });
  useEffect(() => {
    if (data) updateMenus(data.menus);
  }, [data]);
};

const SidebarMenu = ({ open }: { open: boolean }) => {
  const { t } = useTranslation('shell');
  const session = useSession();
  const isActive = useActiveMenu();
  const ready = session !== null && !session.isFirst;
  const { data: menus, isError } = useCall(roleCalls.queryMenuList, {}, { enabled: ready, staleTime: 300_000 });
  useFreshMenus(session?.roleId, ready);
  const groups = useMemo(() => navigationOf(menus ?? [], session?.menus ?? new Set()), [menus, session]);
  return (
    <nav className="dc-sidebar" data-open={open} aria-label={t('mainNavigation')}>
      {isError && open && <p className="dc-nav-caption">{t('menuFailed')}</p>}
      {groups.map((group) => (
        <div key={group.key}>
          {group.name !== '' && (
            <p className="dc-nav-caption">
              <span>{group.name}</span>
            </p>
          )}
          <ul>
            {group.items.map((menu) => (
              <li key={`${menu.menuId}${menu.path}`}>
                <NavItem menu={menu} open={open} active={isActive(menu)} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
};

type SidebarProps = { open: boolean; mobile: boolean; onClose: () => void };

export const Sidebar = ({ open, mobile, onClose }: SidebarProps) => {
  const { t } = useTranslation('shell');
  if (!mobile) return <SidebarMenu open={open} />;
  return (
    <Drawer
      className="dc-nav-drawer"
      placement="left"
      size={260}
      open={open}
      onClose={onClose}
      closable={false}
      aria-label={t('mainNavigation')}
    >
      <SidebarMenu open />
    </Drawer>
  );
};
