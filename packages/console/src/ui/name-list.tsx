import { useTranslation } from 'react-i18next';

const SHOWN = 10;

type NameListProps = { names: readonly string[]; muted?: boolean };

/** Names of the affected entities; of many only the first ones. */
export const NameList = ({ names, muted = false }: NameListProps) => {
  const { t } = useTranslation();
  return (
    <p className={muted ? 'dc-muted' : undefined}>
      {names.slice(0, SHOWN).join(t('listSeparator'))}
      {names.length > SHOWN && ' …'}
    </p>
  );
};
