import type { FieldError } from '@device-center/contract';
import { Skeleton } from 'antd';
import { Download } from 'lucide-react';
import { type ReactElement, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-id.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { downloadText } from './download.ts';
import './json-editor.css';

export type JsonEditorProps = {
  value: string;
  onChange?: (value: string) => void;
  readOnly?: boolean;
  /** Marked in the text at the path in `field`. */
  problems?: readonly FieldError[];
  label: string;
  /** Moves the cursor to the path. A new object with the same path moves it again. */
  goTo?: { path: string } | undefined;
};

const CodeMirror = lazyPart(() => import('./code-mirror.tsx'), { prefetch: false });

export const JsonEditor = (props: JsonEditorProps): ReactElement => (
  <div className="dc-json-editor">
    <Suspense fallback={<Skeleton active paragraph={{ rows: 8 }} />}>
      <CodeMirror {...props} />
    </Suspense>
  </div>
);

export type CodeViewProps = {
  text: string;
  language: 'json' | 'typescript' | 'c';
  label: string;
  /** File name for download. */
  filename?: string;
};

const contentTypes = { json: 'application/json', typescript: 'text/plain', c: 'text/plain' } as const;

/** Read-only generated code with copy and download buttons. */
export const CodeView = ({ text, language, label, filename }: CodeViewProps): ReactElement => {
  const { t } = useTranslation(['model', 'common']);
  return (
    <div className="dc-code-view">
      <div className="dc-code-tools">
        <CopyButton value={text}>{t('common:copy')}</CopyButton>
        {filename !== undefined && (
          <Button
            size="small"
            icon={<Download size={13} aria-hidden />}
            onClick={() => downloadText({ filename, contentType: contentTypes[language], text })}
          >
            {t('model:download')}
          </Button>
        )}
      </div>
      {language === 'json' ? (
        <JsonEditor value={text} readOnly label={label} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable by keyboard.
        <section className="dc-code-plain" aria-label={label} tabIndex={0}>
          <pre>{text}</pre>
        </section>
      )}
    </div>
  );
};
