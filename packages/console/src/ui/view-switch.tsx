import { Segmented } from 'antd';
import { LayoutGrid, List } from 'lucide-react';
import { useTranslation } from 'react-i18next';

export type ListView = 'table' | 'cards';

type ViewSwitchProps = { view: ListView; onChange: (view: ListView) => void };

/** Switches a list between table and cards. */
export const ViewSwitch = ({ view, onChange }: ViewSwitchProps) => {
  const { t } = useTranslation();
  const word = (text: string) => <span className="dc-visually-hidden">{text}</span>;
  return (
    <Segmented<ListView>
      aria-label={t('viewAs')}
      value={view}
      options={[
        { value: 'table', icon: <List size={15} aria-hidden />, label: word(t('viewTable')) },
        { value: 'cards', icon: <LayoutGrid size={15} aria-hidden />, label: word(t('viewCards')) },
      ]}
      onChange={onChange}
    />
  );
};
