import type { FieldError } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import './path-messages.css';

const SHOWN = 50;

type PathMessagesProps = {
  title: string;
  entries: readonly FieldError[];
  wrong?: boolean;
  /** Opens the path in the editor. */
  onOpen?: (path: string) => void;
};

/** Messages about paths in a file: `functions[3].functionDefinition.dataType.max: …` */
export const PathMessages = ({ title, entries, wrong = false, onOpen }: PathMessagesProps) => {
  const { t } = useTranslation('model');
  return (
    <div className="dc-places" data-wrong={wrong} {...(wrong ? { role: 'alert' } : {})}>
      <strong>{title}</strong>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable by keyboard. */}
      <ul tabIndex={0} aria-label={title}>
        {entries.slice(0, SHOWN).map(({ field, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two messages may have the same path.
          <li key={index}>
            {field !== '' &&
              (onOpen ? (
                <button type="button" className="dc-mono" onClick={() => onOpen(field)}>
                  {field}
                </button>
              ) : (
                <code className="dc-mono">{field}</code>
              ))}{' '}
            {message}
          </li>
        ))}
      </ul>
      {entries.length > SHOWN && <p className="dc-muted">{t('moreProblems', { count: entries.length - SHOWN })}</p>}
    </div>
  );
};
