import { App } from 'antd';
import { Check, Copy } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';

/** The clipboard API needs https or localhost; a hub in a plant often has neither, so fall back to execCommand. */
const copyText = async (text: string): Promise<void> => {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
};

/** The text, or a function that creates it on demand if that takes time. */
type Copied = string | (() => string);

const useCopy = (value: Copied) => {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await copyText(typeof value === 'string' ? value : value());
    setCopied(true);
    void message.success({ key: 'copied', content: t('copied'), duration: 1 });
    setTimeout(() => setCopied(false), 1500);
  };
  return { copy, icon: copied ? <Check size={13} aria-hidden /> : <Copy size={13} aria-hidden /> };
};

/** Copies a value that is too long to be shown beside the button, such as a whole message. */
export const CopyButton = ({ value, children }: { value: Copied; children: ReactNode }) => {
  const { copy, icon } = useCopy(value);
  return (
    <Button size="small" icon={icon} onClick={() => void copy()}>
      {children}
    </Button>
  );
};

type CopyIdProps = {
  value: string;
  /** Accessible name of the value. */
  label?: string;
  /** Shown instead of a confidential value. */
  masked?: string;
};

export const CopyId = ({ value, label, masked }: CopyIdProps) => {
  const { t } = useTranslation();
  const { copy, icon } = useCopy(value);
  return (
    <span className="dc-id">
      <code title={masked ?? value}>{masked ?? value}</code>
      <button type="button" aria-label={`${t('copy')} ${label ?? ''} ${masked ?? value}`} onClick={() => void copy()}>
        {icon}
      </button>
    </span>
  );
};
