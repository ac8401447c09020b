import { Checkbox, Dropdown, Popover } from 'antd';
import { Columns3, RefreshCw, Rows3 } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { useMobile } from './media.ts';
import { changePreferences, usePreferences } from './preferences.ts';

type ToolColumn = { key: string; title: string; always?: boolean; optional?: boolean };

/** Hidden columns: those that the user chose, by default the optional ones. */
export const useHiddenColumns = (id: string, columns: readonly ToolColumn[]): string[] => {
  const chosen = usePreferences((state) => state.hiddenColumns[id]);
  return useMemo(() => chosen ?? columns.filter(({ optional }) => optional).map(({ key }) => key), [chosen, columns]);
};

const ColumnChoice = ({ id, columns }: { id: string; columns: ToolColumn[] }) => {
  const { t } = useTranslation();
  const all = usePreferences((state) => state.hiddenColumns);
  const hidden = useHiddenColumns(id, columns);
  const choose = (key: string, visible: boolean) =>
    changePreferences({
      hiddenColumns: { ...all, [id]: visible ? hidden.filter((one) => one !== key) : [...hidden, key] },
    });
  const reset = () => {
    const { [id]: _forgotten, ...rest } = all;
    changePreferences({ hiddenColumns: rest });
  };
  return (
    <div className="dc-column-choice">
      {columns.map(({ key, title, always }) => (
        <Checkbox
          key={key}
          disabled={always === true}
          checked={always === true || !hidden.includes(key)}
          onChange={(event) => choose(key, event.target.checked)}
        >
          {title}
        </Checkbox>
      ))}
      <Button type="link" size="small" onClick={() => reset()}>
        {t('columnsReset')}
      </Button>
    </div>
  );
};

/** If `columns` is empty, the list is not a table and has no density or column settings. */
type TableToolsProps = { id: string; columns: ToolColumn[]; onRefresh: () => void };

export const TableTools = ({ id, columns, onRefresh }: TableToolsProps) => {
  const { t } = useTranslation();
  const mobile = useMobile();
  const density = usePreferences((state) => state.density);
  return (
    <div className="dc-table-tools">
      <Button type="text" aria-label={t('refresh')} icon={<RefreshCw size={16} aria-hidden />} onClick={onRefresh} />
      {columns.length > 0 && (
        <Dropdown
          trigger={['click']}
          menu={{
            selectable: true,
            selectedKeys: [density],
            items: [
              { key: 'comfortable', label: t('densityComfortable') },
              { key: 'compact', label: t('densityCompact') },
            ],
            onClick: ({ key }) => changePreferences({ density: key === 'compact' ? 'compact' : 'comfortable' }),
          }}
        >
          <Button type="text" aria-label={t('density')} icon={<Rows3 size={16} aria-hidden />}>
            {mobile ? null : t('density')}
          </Button>
        </Dropdown>
      )}
      {!mobile && columns.length > 0 && (
        <Popover trigger="click" placement="bottomRight" content={<ColumnChoice id={id} columns={columns} />}>
          <Button type="text" icon={<Columns3 size={16} aria-hidden />}>
            {t('columns')}
          </Button>
        </Popover>
      )}
    </div>
  );
};
