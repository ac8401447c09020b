import { languages } from '@device-center/contract';
import { useNavigate } from '@tanstack/react-router';
import { Modal } from 'antd';
import { Command } from 'cmdk';
import { ArrowRight, Globe, Palette as PaletteIcon, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { mayOpen, useSession } from '../api/session.ts';
import { changeLanguage, languageNames } from '../i18n/language.ts';
import { changePreferences } from '../ui/preferences.ts';
import { themeChoices, themeTextKeys } from '../ui/switches.tsx';
import { openPages } from './navigation.ts';
import { pages } from './pages.ts';

type Item = { key: string; icon: ReactNode; text: string; hint?: string; run: () => void };

const Palette = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation('shell');
  const session = useSession();
  const navigate = useNavigate();
  const go = (to: string) => void navigate({ to });

  const groups: { title: string; items: Item[] }[] = [
    {
      title: t('palettePages'),
      items: openPages(pages, session).map(({ path, title }) => ({
        key: path,
        icon: <ArrowRight size={16} />,
        text: title(),
        hint: path,
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
      <Command label={t('paletteTitle')} loop>
        <Command.Input autoFocus placeholder={t('palette')} aria-label={t('paletteTitle')} />
        <Command.List label={t('paletteTitle')}>
          <Command.Empty>{t('paletteEmpty')}</Command.Empty>
          {groups
            .filter(({ items }) => items.length > 0)
            .map(({ title, items }) => (
              <Command.Group key={title} heading={title}>
                {items.map(({ key, icon, text, hint, run }) => (
                  <Command.Item
                    key={key}
                    value={`${title} ${text} ${hint ?? ''}`}
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
