import { Switch } from 'antd';

type FlagSwitchProps = { id?: string; value?: 0 | 1; onChange?: (value: 0 | 1) => void };

/** A switch for a flag of the contract, which is 1 or 0. */
export const FlagSwitch = ({ id, value = 0, onChange }: FlagSwitchProps) => (
  <Switch {...(id === undefined ? {} : { id })} checked={value === 1} onChange={(on) => onChange?.(on ? 1 : 0)} />
);
