import './styles/choice.css';
import { DatePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import type { DayRange } from './day-range.ts';
import { useFilterChip } from './filter-chips.tsx';

const dayOf = (text: string | undefined): Dayjs | null => (text === undefined ? null : dayjs(text));
const textOf = (day: Dayjs | null | undefined): string | undefined => day?.format('YYYY-MM-DD');

type DayRangeFilterProps = { label: string; range: DayRange; onChange: (range: DayRange) => void };

export const DayRangeFilter = ({ label, range, onChange }: DayRangeFilterProps) => {
  const { from, to } = range;
  const words = from === undefined && to === undefined ? undefined : `${from ?? ''} – ${to ?? ''}`;
  useFilterChip(label, words, () => onChange({ from: undefined, to: undefined }));
  return (
    <DatePicker.RangePicker
      className="dc-filter-days"
      classNames={{ popup: { root: 'dc-filter-days-popup' } }}
      allowEmpty={[true, true]}
      aria-label={label}
      value={[dayOf(from), dayOf(to)]}
      onChange={(days) => onChange({ from: textOf(days?.[0]), to: textOf(days?.[1]) })}
    />
  );
};
