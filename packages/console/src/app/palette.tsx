import { languages } from '@device-center/contract';
import { Modal } from 'antd';
import { Command, defaultFilter } from 'cmdk';
import { ArrowRight, Cpu, Globe, Package, Palette as PaletteIcon, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mayOpen, useSession } from '../api/session.ts';
import { changeLanguage, languageNames } from '../i18n/language.ts';
import { changePreferences } from '../ui/preferences.ts';
import { type Path, useNavigate } from '../ui/routing.ts';
import { themeChoices, themeTextKeys } from '../ui/switches.tsx';
import { openPages } from './navigation.ts';
import { pages } from './pages.ts';
import { type Found, usePaletteSearch } from './use-palette-search.ts';

type Item = {
  key: string;
  icon: ReactNode;
  text: string;
  hint?: string;
  /** A search result of the hub: the text that matched may not be part of the item. */
  found?: true;
  run: () => void;
};

const Palette = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation('shell');
  const session = useSession();
  const [typed, setTyped] = useState('');
  const { devices, products } = usePaletteSearch(typed);
  const navigate = useNavigate();
  const go = (to: Path) => void navigate({ to });
  const foundItem =
    (icon: ReactNode) =>
    ({ id, name, path }: Found): Item => ({ key: path, icon, text: name, hint: id, found: true, run: () => go(path) });

  const groups: { title: string; items: Item[] }[] = [
    {
      title: t('palettePages'),
      items: openPages(pages, session).map(({ path, title }) => ({
        key: path,
        icon: <ArrowRight size={16} />,
        text: title(),
        run: () => go(path),
      })),
    },
    {
      title: t('paletteActions'),
      items: pages.flatMap(({ palette, menus }) =>
        typeof palette === 'object' && mayOpen(menus, session)
          ? [{ key: palette.to, icon: <Plus size={16} />, text: palette.action(), run: () => go(palette.to) }]
          : [],
      ),
    },
    { title: t('deviceListTitle'), items: devices.map(foundItem(<Cpu size={16} />)) },
    { title: t('productListTitle'), items: products.map(foundItem(<Package size={16} />)) },
    {
      title: t('paletteTheme'),
      items: themeChoices.map((theme) => ({
        key: theme,
        icon: <PaletteIcon size={16} />,
        text: t(themeTextKeys[theme]),
        run: () => changePreferences({ theme }),
      })),
    },
    {
      title: t('paletteLanguage'),
      items: languages.map((language) => ({
        key: language,
        icon: <Globe size={16} />,
        text: languageNames[language],
        run: () => changeLanguage(language),
      })),
    },
  ];

  return (
    <Modal
      open
      className="dc-palette"
      title={t('paletteTitle')}
      footer={null}
      closable={false}
      onCancel={onClose}
      width={560}
      style={{ top: 96 }}
    >
      {/* Filter by the visible texts: the value is a path, which users do not type. */}
      <Command
        label={t('paletteTitle')}
        loop
        filter={(_value, search, keywords = []) => defaultFilter(keywords.join(' '), search)}
      >
        <Command.Input
          autoFocus
          value={typed}
          onValueChange={setTyped}
          placeholder={t('palette')}
          aria-label={t('paletteTitle')}
        />
        <Command.List label={t('paletteTitle')}>
          <Command.Empty>{t('paletteEmpty')}</Command.Empty>
          {groups
            .filter(({ items }) => items.length > 0)
            .map(({ title, items }) => (
              <Command.Group key={title} heading={title}>
                {items.map(({ key, icon, text, hint, found, run }) => (
                  <Command.Item
                    key={key}
                    value={key}
                    keywords={found ? [typed] : [title, text, ...(hint === undefined ? [] : [hint])]}
                    onSelect={() => {
                      onClose();
                      run();
                    }}
                  >
                    {icon}
                    {text}
                    {hint !== undefined && <small>{hint}</small>}
                  </Command.Item>
                ))}
              </Command.Group>
            ))}
        </Command.List>
      </Command>
    </Modal>
  );
};

export default Palette;
