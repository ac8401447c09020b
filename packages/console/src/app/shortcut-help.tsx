import { Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import { useSession } from '../api/session.ts';
import { openPages } from './navigation.ts';
import { pages } from './pages.ts';
import { goKeys } from './shortcuts.ts';

const Keys = ({ keys }: { keys: readonly string[] }) => (
  <>
    {keys.map((key) => (
      <kbd key={key}>{key}</kbd>
    ))}
  </>
);

/** All keyboard shortcuts, including those of the pages that the role may open. */
const ShortcutHelp = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation('shell');
  const session = useSession();
  const open = openPages(pages, session);
  const goes = Object.entries(goKeys).flatMap(([key, path]) => {
    const page = open.find((one) => one.path === path);
    return page ? [{ keys: ['g', key], text: page.title() }] : [];
  });
  const general = [
    { keys: ['Ctrl K'], text: t('helpPalette') },
    { keys: ['/'], text: t('keySearch') },
    { keys: ['j', 'k'], text: t('keyRows') },
    { keys: ['Enter'], text: t('keyOpen') },
    { keys: ['?'], text: t('keyHelp') },
  ];
  return (
    <Modal open title={t('helpKeys')} width={520} footer={null} onCancel={onClose}>
      {[
        { title: t('keysGeneral'), rows: general },
        { title: t('keysGo'), rows: goes },
      ].map(({ title, rows }) => (
        <section key={title} className="dc-keys">
          <h3>{title}</h3>
          <dl>
            {rows.map(({ keys, text }) => (
              <div key={text}>
                <dt>
                  <Keys keys={keys} />
                </dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Modal>
  );
};

export default ShortcutHelp;
