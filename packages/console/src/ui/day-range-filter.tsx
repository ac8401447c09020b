import './styles/choice.css';
import { DatePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import type { DayRange } from './day-range.ts';
import { useFilterChip } from './filter-chips.tsx';

const dayOf = (text: string | undefined): Dayjs | null => (text === undefined ? null : dayjs(text));
const DAY = 'YYYY-MM-DD';
const MINUTE = 'YYYY-MM-DD HH:mm';

type DayRangeFilterProps = {
  label: string;
  range: DayRange;
  onChange: (range: DayRange) => void;
  /** Select minutes instead of days. */
  minutes?: boolean;
};

export const DayRangeFilter = ({ label, range, onChange, minutes = false }: DayRangeFilterProps) => {
  const { from, to } = range;
  const format = minutes ? MINUTE : DAY;
  const text = from === undefined && to === undefined ? undefined : `${from ?? ''} – ${to ?? ''}`;
  useFilterChip(label, text, () => onChange({ from: undefined, to: undefined }));
  return (
    <DatePicker.RangePicker
      className="dc-filter-days"
      classNames={{ popup: { root: 'dc-filter-days-popup' } }}
      allowEmpty={[true, true]}
      aria-label={label}
      format={format}
      {...(minutes
        ? { showTime: { format: 'HH:mm', defaultOpenValue: [dayjs().startOf('day'), dayjs().endOf('day')] } }
        : {})}
      value={[dayOf(from), dayOf(to)]}
      onChange={(days) => onChange({ from: days?.[0]?.format(format), to: days?.[1]?.format(format) })}
    />
  );
};
