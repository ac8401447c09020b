import { Button as AntdButton, type ButtonProps as AntdButtonProps } from 'antd';
import type { Ref } from 'react';
import { useOnline } from './media.ts';

type ButtonProps = AntdButtonProps & {
  ref?: Ref<HTMLButtonElement | HTMLAnchorElement>;
  /** Defaults to true for buttons that submit, are dangerous or primary, or have a loading state. */
  needsHub?: boolean;
};

/** antd's button. If it needs the hub, it is disabled while the hub is unreachable. */
export const Button = ({ needsHub, disabled, ...props }: ButtonProps) => {
  const online = useOnline();
  const { type, danger, htmlType, loading } = props;
  const needs = needsHub ?? (type === 'primary' || danger === true || htmlType === 'submit' || loading !== undefined);
  return (
    <AntdButton {...props} {...(needs && !online ? { disabled: true } : disabled === undefined ? {} : { disabled })} />
  );
};
