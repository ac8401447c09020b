import { Form, type FormItemProps } from 'antd';
import type { ReactElement, ReactNode } from 'react';
import type { z } from 'zod';
import { isRequired, rulesFrom } from './rules.ts';

type FieldProps = {
  /** In a list: index and name. */
  name: string | (string | number)[];
  label: string;
  schema: z.ZodType;
  hint?: ReactNode;
  children: ReactElement;
} & Pick<FormItemProps, 'dependencies' | 'validateTrigger' | 'valuePropName'>;

/** A form field that is validated by a schema of the contract while the user types. */
export const Field = ({ name, label, schema, hint, children, ...rest }: FieldProps) => (
  <Form.Item name={name} label={label} required={isRequired(schema)} rules={rulesFrom(schema)} extra={hint} {...rest}>
    {children}
  </Form.Item>
);
