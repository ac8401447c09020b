import type { MenuNode } from '@device-center/contract';
import { Checkbox, Input } from 'antd';
import { Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { choose, filterGroups, groupsOf, leafIds, type MenuGroup } from './menu-tree.ts';
import './role.css';

type GroupProps = { group: MenuGroup; chosen: ReadonlySet<number>; onChoose: (ids: number[], on: boolean) => void };

const Group = ({ group, chosen, onChoose }: GroupProps) => {
  const { t } = useTranslation('role');
  const ids = leafIds([group]);
  const count = ids.filter((id) => chosen.has(id)).length;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its own frame and legend.
    <div className="dc-permission-group" role="group" aria-label={group.name}>
      <div className="dc-permission-head">
        <Checkbox
          checked={count === ids.length}
          indeterminate={count > 0 && count < ids.length}
          onChange={({ target }) => onChoose(ids, target.checked)}
        >
          {group.name}
        </Checkbox>
        <span className="dc-muted dc-number">{t('groupCount', { count, total: ids.length })}</span>
      </div>
      <div className="dc-permission-leaves">
        {group.leaves.map(({ menuId, name }) => (
          <Checkbox
            key={menuId}
            checked={chosen.has(menuId)}
            onChange={({ target }) => onChoose([menuId], target.checked)}
          >
            {name}
          </Checkbox>
        ))}
      </div>
    </div>
  );
};

type PermissionTreeProps = {
  tree: readonly MenuNode[];
  /** Page menus only, never their parents. */
  value?: number[];
  onChange?: (menuIds: number[]) => void;
  id?: string;
};

/** Selects menus. "Select all" and "Select none" apply to the search results. */
export const PermissionTree = ({ tree, value = [], onChange, id }: PermissionTreeProps) => {
  const { t } = useTranslation('role');
  const [searchText, setSearchText] = useState('');
  const groups = useMemo(() => groupsOf(tree), [tree]);
  const shown = filterGroups(groups, searchText);
  const chosen = new Set(value);
  const onChoose = (ids: number[], on: boolean) => onChange?.(choose(value, ids, on));
  if (groups.length === 0) return <p className="dc-muted">{t('noMenus')}</p>;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its own frame and legend.
    <div className="dc-permissions" role="group" id={id} tabIndex={-1} aria-label={t('menus')}>
      <div className="dc-permission-tools">
        <Input
          type="search"
          allowClear
          prefix={<Search size={15} aria-hidden />}
          aria-label={t('searchMenus')}
          placeholder={t('searchMenus')}
          value={searchText}
          onChange={(event) => setSearchText(event.target.value)}
        />
        <Button onClick={() => onChoose(leafIds(shown), true)}>{t('selectAll')}</Button>
        <Button onClick={() => onChoose(leafIds(shown), false)}>{t('selectNone')}</Button>
        <span role="status" className="dc-muted dc-number">
          {t('selectedCount', { count: value.length, total: leafIds(groups).length })}
        </span>
      </div>
      {shown.length === 0 && <p className="dc-muted">{t('noMenuMatch')}</p>}
      {shown.map((group) => (
        <Group key={group.key} {...{ group, chosen, onChoose }} />
      ))}
    </div>
  );
};
