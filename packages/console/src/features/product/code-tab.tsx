import { type ExportFormat, exportFormats, exportModel, type ProductRow } from '@device-center/contract';
import { Segmented, Select } from 'antd';
import { Braces } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../i18n/language.ts';
import { CodeView } from '../../model/json-editor.tsx';
import type { ModelState } from '../../model/model-source.ts';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/detail-page.tsx';
import { useMobile } from '../../ui/media.ts';
import { EmptyState } from '../../ui/states.tsx';
import { formatTexts } from './format-texts.ts';
import { useProductModel } from './product-model.ts';
import type { ChangeSearch } from './product-search.ts';

const languages = { json: 'json', tsl: 'json', jsonSchema: 'json', typescript: 'typescript', cHeader: 'c' } as const;

type FormatChoiceProps = { format: ExportFormat; onChange: (format: ExportFormat) => void };

const FormatChoice = ({ format, onChange }: FormatChoiceProps) => {
  const { t } = useTranslation('product');
  const mobile = useMobile();
  const options = exportFormats.map((value) => ({ value, label: t(formatTexts[value]) }));
  const shared = { 'aria-label': t('codeFormat'), value: format, options, onChange };
  return mobile ? <Select<ExportFormat> {...shared} /> : <Segmented<ExportFormat> {...shared} />;
};

type CodeTabProps = {
  product: ProductRow;
  format: ExportFormat;
  go: ChangeSearch;
};

type GeneratedProps = { product: ProductRow; format: ExportFormat; state: ModelState };

const Generated = ({ product: { productId, productName }, format, state }: GeneratedProps) => {
  const { t } = useTranslation('product');
  const { text, filename, notes } = useMemo(
    () => exportModel(format, { productId, productName, functions: state.functions }),
    [format, productId, productName, state.functions],
  );
  return (
    <>
      <CodeView
        text={text}
        language={languages[format]}
        filename={filename}
        label={t('codeOf', { format: t(formatTexts[format]), name: productName })}
      />
      {notes.length > 0 && (
        <section className="dc-card dc-code-notes">
          <h2>{t('codeNotes', { count: notes.length })}</h2>
          <ul>
            {notes.map(({ place, text: words }) => (
              <li key={`${place} ${words.en_US}`}>
                <code className="dc-mono">{place}</code>
                <span>{words[currentLanguage()]}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
};

const CodeTab = ({ product, format, go }: CodeTabProps) => {
  const { t } = useTranslation('product');
  const query = useProductModel(product.productId);
  return (
    <Loaded<ModelState> query={query}>
      {(state) =>
        state.functions.length === 0 ? (
          <section className="dc-card">
            <EmptyState
              icon={<Braces size={22} />}
              title={t('codeEmpty')}
              action={<Button onClick={() => go({ tab: 'model' })}>{t('codeGo')}</Button>}
            />
          </section>
        ) : (
          <>
            <div className="dc-tab-tools">
              <FormatChoice format={format} onChange={(chosen) => go({ format: chosen })} />
              <p>{t('codeText', { version: state.modelVersion })}</p>
            </div>
            <Generated product={product} format={format} state={state} />
          </>
        )
      }
    </Loaded>
  );
};

export default CodeTab;
