import { Menu } from '@device-center/contract';
import { Dropdown, type MenuProps } from 'antd';
import { BookOpen, CircleHelp, ExternalLink, Keyboard, Rocket, Search } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { mayOpen, useSession } from '../api/session.ts';
import { currentLanguage } from '../i18n/language.ts';
import { homePath } from '../paths.ts';
import { useNavigate } from '../ui/routing.ts';

/** Links to the getting-started guide, the API description, the command palette and the keyboard shortcuts. */
export const HelpMenu = ({ onPalette, onKeys }: { onPalette: () => void; onKeys: () => void }) => {
  const { t } = useTranslation('shell');
  const session = useSession();
  const navigate = useNavigate();
  const mayGuide = mayOpen([Menu.messageChart], session) && mayOpen([Menu.mockList], session);
  const guide = {
    key: 'guide',
    icon: <Rocket size={15} />,
    label: t('helpGuide'),
    onClick: () => void navigate({ to: homePath, search: { guide: 1 } }),
  };
  const items: MenuProps['items'] = [
    ...(mayGuide ? [guide] : []),
    {
      key: 'interface',
      icon: <BookOpen size={15} />,
      label: (
        <a href={`/docs?language=${currentLanguage()}`} target="_blank" rel="noreferrer">
          {t('helpInterface')}
          <span className="dc-visually-hidden"> ({t('newTab')})</span>
        </a>
      ),
      extra: <ExternalLink size={13} aria-hidden />,
    },
    { type: 'divider' },
    { key: 'palette', icon: <Search size={15} />, label: t('helpPalette'), extra: 'Ctrl K', onClick: onPalette },
    { key: 'keys', icon: <Keyboard size={15} />, label: t('helpKeys'), extra: '?', onClick: onKeys },
  ];
  return (
    <Dropdown trigger={['click']} menu={{ items }}>
      <button type="button" className="dc-icon-button" aria-label={t('help')}>
        <CircleHelp size={18} aria-hidden />
      </button>
    </Dropdown>
  );
};
