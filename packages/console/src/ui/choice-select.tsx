import './styles/choice.css';
import { Select, type SelectProps } from 'antd';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFilterChip } from './filter-chips.tsx';
import { NoOptions } from './no-options.tsx';

type Choice = { value: string; label: string; hint?: string; disabled?: boolean };

type ChoiceSelectProps = {
  choices: {
    options: Choice[];
    loading: boolean;
    onSearch: (typed: string) => void;
    onOpen: (open: boolean) => void;
  };
  /** Accessible name in a filter bar; in a form the field has a label. */
  label?: string;
  value?: string | undefined;
  onChange?: (value: string | undefined) => void;
  /** Text of the empty list. */
  nothing?: string;
  /** A link for that case, below the list, because a list box may contain only options. */
  nextStep?: ReactNode;
} & Pick<SelectProps, 'id' | 'disabled' | 'allowClear' | 'className' | 'placeholder' | 'variant' | 'size' | 'loading'>;

/** A select whose options the parent searches while the user types; it fetches nothing itself. */
export const ChoiceSelect = (props: ChoiceSelectProps) => {
  const { choices, label, value, onChange, nothing, nextStep, allowClear, ...rest } = props;
  const { t } = useTranslation();
  const step = useRef<HTMLDivElement>(null);
  return (
    <Select<string, Choice>
      showSearch={{ filterOption: false, onSearch: choices.onSearch }}
      {...(label === undefined ? {} : { 'aria-label': label, placeholder: label })}
      {...rest}
      {...(allowClear ? { allowClear: { label: t('clear') } } : {})}
      options={choices.options}
      value={(value === '' ? undefined : value) ?? null}
      onChange={(chosen) => onChange?.(chosen ?? undefined)}
      onOpenChange={choices.onOpen}
      notFoundContent={<NoOptions>{choices.loading ? t('loading') : nothing}</NoOptions>}
      // The popup is rendered at the end of the page, where the Tab key does not reach it.
      onInputKeyDown={({ key }) => key === 'ArrowDown' && step.current?.querySelector('a')?.focus()}
      popupRender={(list) => (
        <>
          {list}
          {nextStep && (
            <div className="dc-choice-step" ref={step}>
              {nextStep}
            </div>
          )}
        </>
      )}
      popupMatchSelectWidth={240}
      optionRender={({ data }) => (
        <span className="dc-choice">
          <span>{data.label}</span>
          {data.hint !== undefined && <small title={data.hint}>{data.hint}</small>}
        </span>
      )}
    />
  );
};

type ChoiceFilterProps = Omit<ChoiceSelectProps, 'label'> & { label: string };

export const ChoiceFilter = (props: ChoiceFilterProps) => {
  const { label, value, choices, onChange } = props;
  const chosen = choices.options.find((option) => option.value === value)?.label;
  useFilterChip(label, value === undefined ? undefined : (chosen ?? value), () => onChange?.(undefined));
  return <ChoiceSelect allowClear className="dc-filter-select" {...props} />;
};
