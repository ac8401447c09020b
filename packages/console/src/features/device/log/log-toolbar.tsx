import { Checkbox, Input, Select } from 'antd';
import { Download, Eraser, Pause, Play, Search } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { type LogFilter, matcherOf } from './log-filter.ts';
import { levelName, lineLevelIds } from './log-level.tsx';

type LogToolbarProps = {
  filter: LogFilter;
  onFilter: (filter: LogFilter) => void;
  wrap: boolean;
  onWrap: (wrap: boolean) => void;
  paused: boolean;
  onPause: () => void;
  onFollow: () => void;
  onDownload: () => void;
  onClear: () => void;
};

export const LogToolbar = (props: LogToolbarProps) => {
  const { filter, onFilter, wrap, onWrap, paused, onPause, onFollow, onDownload, onClear } = props;
  const { t } = useTranslation(['deviceDetail', 'common']);
  const invalid = matcherOf(filter) === undefined;
  return (
    <search className="dc-live-tools">
      <Select<number | 'all'>
        aria-label={t('deviceDetail:level')}
        value={filter.level ?? 'all'}
        options={[
          { value: 'all', label: t('common:all') },
          ...lineLevelIds.map((value) => ({
            value,
            label: t('deviceDetail:levelAtLeast', { level: levelName(value) }),
          })),
        ]}
        onChange={(level) => onFilter({ ...filter, level: level === 'all' ? undefined : level })}
      />
      <Input
        className="dc-live-search"
        type="search"
        allowClear
        prefix={<Search size={15} aria-hidden />}
        aria-label={t('deviceDetail:searchLines')}
        placeholder={t('deviceDetail:searchLines')}
        value={filter.text}
        status={invalid ? 'error' : ''}
        aria-invalid={invalid}
        onChange={(event) => onFilter({ ...filter, text: event.target.value })}
      />
      <Checkbox checked={filter.regex} onChange={(event) => onFilter({ ...filter, regex: event.target.checked })}>
        {t('deviceDetail:regex')}
      </Checkbox>
      <Checkbox checked={wrap} onChange={(event) => onWrap(event.target.checked)}>
        {t('deviceDetail:wrap')}
      </Checkbox>
      {invalid && (
        <span className="dc-field-error" role="alert">
          {t('deviceDetail:regexWrong')}
        </span>
      )}
      <span className="dc-live-buttons">
        {paused ? (
          <Button type="primary" needsHub={false} icon={<Play size={15} aria-hidden />} onClick={onFollow}>
            {t('deviceDetail:follow')}
          </Button>
        ) : (
          <Button icon={<Pause size={15} aria-hidden />} onClick={onPause}>
            {t('deviceDetail:pause')}
          </Button>
        )}
        <Button icon={<Download size={15} aria-hidden />} onClick={onDownload}>
          {t('deviceDetail:downloadShown')}
        </Button>
        <Button icon={<Eraser size={15} aria-hidden />} onClick={onClear}>
          {t('deviceDetail:clear')}
        </Button>
      </span>
    </search>
  );
};
