import { fields } from '@device-center/contract';
import { Badge, Drawer, Input, Segmented, Select } from 'antd';
import { ListFilter, Search } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { useFilterChip } from './filter-chips.tsx';
import { useMobile } from './media.ts';
import { problemOf } from './plain-field.tsx';

const TYPING_PAUSE_MS = 350;

/** Every text filter becomes the search text of a call. */
const wordRule = fields.search();

type TextFilterProps = { label: string; value: string | undefined; onChange: (value: string) => void };

/** Updates the URL when typing pauses, or immediately on Enter. */
export const TextFilter = ({ label, value = '', onChange }: TextFilterProps) => {
  const [typed, setTyped] = useState(value);
  const problemId = useId();
  const problem = problemOf(wordRule, typed);
  useFilterChip(label, value, () => onChange(''));
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value || problem !== '') return;
    const timer = setTimeout(() => onChange(typed.trim()), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, value, problem, onChange]);
  return (
    <div className="dc-filter-text">
      <Input
        allowClear
        type="search"
        prefix={<Search size={15} aria-hidden />}
        aria-label={label}
        aria-invalid={problem !== ''}
        aria-describedby={problemId}
        placeholder={label}
        value={typed}
        {...(problem === '' ? {} : { status: 'error' as const })}
        onChange={(event) => setTyped(event.target.value)}
        onPressEnter={() => problem === '' && onChange(typed.trim())}
      />
      <span id={problemId} role="alert" className="dc-field-error">
        {problem}
      </span>
    </div>
  );
};

type Option<Value> = { value: Value; label: string };
type OptionFilterProps<Value> = {
  label: string;
  options: Option<Value>[];
  value: Value | undefined;
  onChange: (value: Value | undefined) => void;
};

const labelOf = <Value,>(options: Option<Value>[], value: Value | undefined): string | undefined =>
  options.find((option) => option.value === value)?.label;

export const SelectFilter = <Value extends string | number>({
  label,
  options,
  value,
  onChange,
}: OptionFilterProps<Value>) => {
  const { t } = useTranslation();
  useFilterChip(label, labelOf(options, value), () => onChange(undefined));
  return (
    <Select<Value>
      className="dc-filter-select"
      allowClear={{ label: t('clear') }}
      showSearch={{ optionFilterProp: 'label' }}
      aria-label={label}
      placeholder={label}
      options={options}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  );
};

/** For two or three options, which are all visible. */
export const SegmentedFilter = <Value extends string | number>({
  label,
  options,
  value,
  onChange,
}: OptionFilterProps<Value>) => {
  const { t } = useTranslation();
  useFilterChip(label, labelOf(options, value), () => onChange(undefined));
  return (
    <Segmented<Value | 'all'>
      aria-label={label}
      options={[{ value: 'all', label: t('all') }, ...options]}
      value={value ?? 'all'}
      onChange={(chosen) => onChange(chosen === 'all' ? undefined : chosen)}
    />
  );
};

type EnabledFilterProps = { label: string; value: 0 | 1 | undefined; onChange: (enabled: 0 | 1 | undefined) => void };

export const EnabledFilter = (props: EnabledFilterProps) => {
  const { t } = useTranslation();
  return (
    <SegmentedFilter
      {...props}
      options={[
        { value: 1, label: t('enabled') },
        { value: 0, label: t('disabled') },
      ]}
    />
  );
};

type FilterBarProps = { search: TextFilterProps; children?: ReactNode; filtered: boolean; onClear: () => void };

/** The search field is always visible; on a phone the other filters move into a drawer. */
export const FilterBar = ({ search, children, filtered, onClear }: FilterBarProps) => {
  const { t } = useTranslation();
  const mobile = useMobile();
  const [open, setOpen] = useState(false);
  const clear = filtered && (
    <Button type="link" size="small" onClick={onClear}>
      {t('clearFilters')}
    </Button>
  );
  if (!mobile) {
    return (
      <search className="dc-filters">
        <TextFilter {...search} />
        {children}
        {clear}
      </search>
    );
  }
  return (
    <search className="dc-filters">
      <TextFilter {...search} />
      {children !== undefined && (
        <Badge dot={filtered}>
          <Button icon={<ListFilter size={16} aria-hidden />} aria-label={t('filters')} onClick={() => setOpen(true)} />
        </Badge>
      )}
      <Drawer
        open={open}
        onClose={() => setOpen(false)}
        placement="bottom"
        forceRender
        title={t('filters')}
        extra={clear}
      >
        <div className="dc-filter-sheet">{children}</div>
      </Drawer>
    </search>
  );
};

type ListFilterBarProps = {
  label: string;
  list: {
    search: { searchValue?: string | undefined };
    filter: (change: { searchValue: string }) => void;
    filtered: boolean;
    clear: () => void;
  };
  children?: ReactNode;
};

/** Filter bar of a list whose search parameter is `searchValue`. */
export const ListFilterBar = ({ label, list: { search, filter, filtered, clear }, children }: ListFilterBarProps) => (
  <FilterBar
    filtered={filtered}
    onClear={clear}
    search={{ label, value: search.searchValue, onChange: (searchValue) => filter({ searchValue }) }}
  >
    {children}
  </FilterBar>
);
