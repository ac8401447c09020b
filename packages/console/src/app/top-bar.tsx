import { personalCalls } from '@device-center/contract';
import { Dropdown } from 'antd';
import { LogOut, Menu, Search, UserRound } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useProtectedPicture } from '../api/picture.ts';
import { updateSession, useSession } from '../api/session.ts';
import { useCall } from '../api/use-call.ts';
import { landingPath, personPaths } from '../paths.ts';
import { BrandGlyph } from '../ui/brand-glyph.tsx';
import { Link, useNavigate } from '../ui/routing.ts';
import { LanguageSwitch, ThemeSwitch } from '../ui/switches.tsx';
import { HelpMenu } from './help-menu.tsx';
import { useLogOut } from './log-out.tsx';

const AccountMenu = () => {
  const { t } = useTranslation('shell');
  const session = useSession();
  const navigate = useNavigate();
  const logOut = useLogOut();
  const picture = useProtectedPicture(session?.isFirst ? undefined : session?.image);
  const username = session?.username ?? '';
  const personCenter = {
    key: 'person',
    icon: <UserRound size={15} />,
    label: t('personCenter'),
    onClick: () => void navigate({ to: personPaths.center }),
  };
  const leave = { key: 'logOut', icon: <LogOut size={15} />, label: t('logOut'), onClick: logOut };
  return (
    <Dropdown
      trigger={['click']}
      menu={{ items: session?.isFirst ? [leave] : [personCenter, { type: 'divider' }, leave] }}
    >
      <button type="button" className="dc-avatar-button" aria-label={t('accountMenu', { name: username })}>
        {/* CSS draws the letter: as text it would become part of the button's accessible name. */}
        <span className="dc-avatar" data-letter={picture ? '' : username.slice(0, 1).toUpperCase()}>
          {picture && <img src={picture} alt="" />}
        </span>
        <span>{username}</span>
      </button>
    </Dropdown>
  );
};

/** The name of the built-in tenant depends on the language; the stored name has the language of the login. */
const useTenantName = (): string => {
  const session = useSession();
  const enabled = session !== null && !session.isFirst;
  const { data } = useCall(personalCalls.getPersonalMessage, {}, { enabled, staleTime: 300_000 });
  const currentName = data?.userId === session?.userId ? data?.tenancyName : undefined;
  const stored = session?.tenancyName;
  useEffect(() => {
    // After a logout there is no stored name to update.
    if (stored !== undefined && currentName !== undefined && currentName !== stored)
      updateSession({ tenancyName: currentName });
  }, [currentName, stored]);
  return currentName ?? stored ?? '';
};

type TopBarProps = { sidebarOpen: boolean; onToggleSidebar: () => void; onPalette: () => void; onKeys: () => void };

export const TopBar = ({ sidebarOpen, onToggleSidebar, onPalette, onKeys }: TopBarProps) => {
  const { t } = useTranslation(['shell', 'common']);
  const session = useSession();
  const tenancyName = useTenantName();
  return (
    <header className="dc-topbar">
      <button
        type="button"
        className="dc-icon-button"
        aria-expanded={sidebarOpen}
        aria-label={t(sidebarOpen ? 'shell:closeSidebar' : 'shell:openSidebar')}
        onClick={onToggleSidebar}
      >
        <Menu size={18} aria-hidden />
      </button>
      <Link to={landingPath} className="dc-brand">
        <BrandGlyph />
        <span>{t('common:productShort')}</span>
      </Link>
      {session && <span className="dc-tenant">{tenancyName}</span>}
      <span className="dc-topbar-space" />
      {!session?.isFirst && (
        <button type="button" className="dc-palette-button" aria-keyshortcuts="Control+K Meta+K" onClick={onPalette}>
          <Search size={16} aria-hidden />
          <span>{t('shell:palette')}</span>
          <kbd>Ctrl K</kbd>
        </button>
      )}
      {!session?.isFirst && <HelpMenu onPalette={onPalette} onKeys={onKeys} />}
      <ThemeSwitch />
      <LanguageSwitch />
      <AccountMenu />
    </header>
  );
};
