import { Button as AntdButton, type ButtonProps as AntdButtonProps } from 'antd';
import type { Ref } from 'react';
import { useOnline } from './media.ts';

type ButtonProps = AntdButtonProps & {
  ref?: Ref<HTMLButtonElement | HTMLAnchorElement>;
  /** By default whatever submits, destroys, is the main action or shows that it is under way. */
  needsHub?: boolean;
};

/** antd's button; one that needs the hub is disabled while the hub cannot be reached. */
export const Button = ({ needsHub, disabled, ...props }: ButtonProps) => {
  const online = useOnline();
  const { type, danger, htmlType, loading } = props;
  const needs = needsHub ?? (type === 'primary' || danger === true || htmlType === 'submit' || loading !== undefined);
  return (
    <AntdButton {...props} {...(needs && !online ? { disabled: true } : disabled === undefined ? {} : { disabled })} />
  );
};
