import { InputNumber, type InputNumberProps } from 'antd';
import { useState } from 'react';

type NumberFieldProps = Pick<
  InputNumberProps<number>,
  'id' | 'min' | 'max' | 'precision' | 'suffix' | 'disabled' | 'aria-labelledby'
> & {
  value: number;
  onChange: (value: number) => void;
};

/** A number input. While it is empty, the value stays unchanged, because the user is about to type another. */
export const NumberField = ({ value, onChange, precision = 0, ...rest }: NumberFieldProps) => {
  const [isEmpty, setEmpty] = useState(false);
  return (
    <InputNumber<number>
      {...rest}
      precision={precision}
      value={isEmpty ? null : value}
      onBlur={() => setEmpty(false)}
      onChange={(next) => {
        setEmpty(next === null);
        if (next !== null) onChange(next);
      }}
    />
  );
};
