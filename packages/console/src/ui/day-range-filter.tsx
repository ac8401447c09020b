import './styles/choice.css';
import { DatePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import type { DayRange } from './day-range.ts';

const dayOf = (text: string | undefined): Dayjs | null => (text === undefined ? null : dayjs(text));
const textOf = (day: Dayjs | null | undefined): string | undefined => day?.format('YYYY-MM-DD');

type DayRangeFilterProps = { label: string; range: DayRange; onChange: (range: DayRange) => void };

export const DayRangeFilter = ({ label, range, onChange }: DayRangeFilterProps) => (
  <DatePicker.RangePicker
    className="dc-filter-days"
    classNames={{ popup: { root: 'dc-filter-days-popup' } }}
    allowEmpty={[true, true]}
    aria-label={label}
    value={[dayOf(range.from), dayOf(range.to)]}
    onChange={(days) => onChange({ from: textOf(days?.[0]), to: textOf(days?.[1]) })}
  />
);
