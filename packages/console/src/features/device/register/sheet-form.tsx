import { DEVICE_FILE_MAX_BYTES, deviceCalls, type Output, sheetColumns } from '@device-center/contract';
import { useQuery } from '@tanstack/react-query';
import { FileDown } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../../../api/api-error.ts';
import { useApplicationChoices } from '../../../api/choices.ts';
import { useProductChoices } from '../../../api/product-choices.ts';
import { send } from '../../../api/send.ts';
import { ProductSelect } from '../../../filters/product-select.tsx';
import { Button } from '../../../ui/button.tsx';
import { ChoiceSelect } from '../../../ui/choice-select.tsx';
import { downloadCsv } from '../../../ui/csv.ts';
import { FileZone } from '../../../ui/file-zone.tsx';
import { FormSection } from '../../../ui/form-page.tsx';
import { ErrorCard } from '../../../ui/states.tsx';
import { SheetReport } from './sheet-report.tsx';

export type CheckResult = Output<typeof deviceCalls.checkDeviceFile>;
type ChosenFile = { file: File; chosenAt: number };

type SheetFormProps = {
  /** The initially selected product; empty for none. */
  product: string;
  onStart: (request: { productId: string; applicationId: string; checked: CheckResult }) => void;
};

/** The hub checks the file without writing. Another product or application repeats the check. */
const useCheck = (productId: string, applicationId: string, chosen: ChosenFile | undefined) =>
  useQuery<CheckResult, ApiError>({
    queryKey: ['checkDeviceFile', productId, applicationId, chosen?.chosenAt],
    queryFn: ({ signal }) =>
      send(deviceCalls.checkDeviceFile, { productId, applicationId }, { signal, ...(chosen && { file: chosen.file }) }),
    enabled: productId !== '' && chosen !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });

type LabelledFieldProps = { label: string; hint?: string; children: (id: string) => React.ReactNode };

const LabelledField = ({ label, hint, children }: LabelledFieldProps) => {
  const id = useId();
  return (
    <div className="dc-sheet-field">
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {hint !== undefined && <small className="dc-muted">{hint}</small>}
    </div>
  );
};

export const SheetForm = ({ product: initialProductId, onStart }: SheetFormProps) => {
  const { t } = useTranslation('device');
  const [productId, setProductId] = useState(initialProductId);
  const [applicationId, setApplicationId] = useState('');
  const [chosen, setChosen] = useState<ChosenFile>();
  const [tooBig, setTooBig] = useState(false);
  const products = useProductChoices(productId);
  const { product } = products;
  const applications = useApplicationChoices(applicationId, { tenancyId: product?.tenancyId ?? '' });
  const check = useCheck(productId, applicationId, chosen);

  const chooseFile = (file: File) => {
    const fits = file.size <= DEVICE_FILE_MAX_BYTES;
    setTooBig(!fits);
    setChosen(fits ? { file, chosenAt: Date.now() } : undefined);
  };

  return (
    <div className="dc-form-main dc-sheet-form">
      <FormSection title={t('sectionBelongs')}>
        <LabelledField label={t('product')}>
          {(id) => (
            <ProductSelect
              id={id}
              choices={products}
              value={productId}
              placeholder={t('productPlaceholder')}
              onChange={(value = '') => {
                setProductId(value);
                setApplicationId('');
              }}
            />
          )}
        </LabelledField>
        <LabelledField label={t('application')} hint={t('sheetApplication')}>
          {(id) => (
            <ChoiceSelect
              id={id}
              choices={applications}
              value={applicationId}
              allowClear
              disabled={!product}
              placeholder={
                product?.applicationName ? t('applicationDefault', { name: product.applicationName }) : t('application')
              }
              onChange={(value = '') => setApplicationId(value)}
            />
          )}
        </LabelledField>
      </FormSection>
      <FormSection title={t('sheetTitle')}>
        <div className="dc-sheet-intro">
          <p>{t('sheetText', { columns: sheetColumns.join(', ') })}</p>
          <Button
            size="small"
            icon={<FileDown size={14} aria-hidden />}
            onClick={() => downloadCsv('devices-template.csv', [sheetColumns])}
          >
            {t('sheetTemplate')}
          </Button>
        </div>
        <FileZone
          text={productId === '' ? t('sheetProductFirst') : (chosen?.file.name ?? t('sheetDrop'))}
          button={t(chosen ? 'sheetReplace' : 'sheetChoose')}
          accept=".csv,text/csv,text/plain"
          disabled={productId === ''}
          onFile={chooseFile}
        />
        {tooBig && <p role="alert">{t('sheetTooBig')}</p>}
      </FormSection>
      {check.error && <ErrorCard error={check.error} onRetry={() => void check.refetch()} />}
      {chosen && check.isFetching && (
        <p role="status" className="dc-muted">
          {t('sheetChecking')}
        </p>
      )}
      {chosen && check.data && (
        <SheetReport checked={check.data} onStart={() => onStart({ productId, applicationId, checked: check.data })} />
      )}
    </div>
  );
};
