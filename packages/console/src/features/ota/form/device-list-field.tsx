import { TASK_DEVICES_MAX } from '@device-center/contract';
import { Input } from 'antd';
import { X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { FileZone } from '../../../ui/file-zone.tsx';
import { idsInSheet, idsInText, mergeIds } from './device-ids.ts';
import { PickDevices } from './pick-devices.tsx';

const SHOWN = 30;
const NAMED = 10;
const FILE_MAX_BYTES = 4 * 1024 * 1024;

type DeviceListFieldProps = {
  id?: string;
  value?: string[];
  onChange?: (ids: string[]) => void;
  productId: string;
  appId: string;
  /** Selected ids that do not belong to this product, application or tenant. */
  unknown: readonly string[];
};

const previewOf = (ids: readonly string[]): string =>
  ids.length > NAMED ? `${ids.slice(0, NAMED).join(', ')} …` : ids.join(', ');

/** Selects devices by search, pasted ids or a file. */
export const DeviceListField = ({ id, value = [], onChange, productId, appId, unknown }: DeviceListFieldProps) => {
  const { t } = useTranslation(['otaForm', 'common']);
  const [pasted, setPasted] = useState('');
  const [picking, setPicking] = useState(false);
  const [duplicates, setDuplicates] = useState<string[]>([]);
  const [problem, setProblem] = useState('');
  const [all, setAll] = useState(false);

  const add = (added: readonly string[]): boolean => {
    const merged = mergeIds(value, added);
    const validate = () => {
      if (added.length === 0) return t('otaForm:noIds');
      return merged.ids.length > TASK_DEVICES_MAX ? t('otaForm:tooManyIds', { max: TASK_DEVICES_MAX }) : '';
    };
    const error = validate();
    setProblem(error);
    if (error !== '') return false;
    setDuplicates(merged.duplicates);
    onChange?.(merged.ids);
    return true;
  };
  const readFile = async (file: File) => {
    if (file.size > FILE_MAX_BYTES) return setProblem(t('otaForm:fileTooBig'));
    add(idsInSheet(await file.text()));
  };
  const keepOnly = (fits: (deviceId: string) => boolean) => {
    setDuplicates([]);
    onChange?.(value.filter(fits));
  };

  return (
    <div className="dc-device-list-field" id={id} tabIndex={-1}>
      <div className="dc-device-list-ways">
        <Button disabled={productId === ''} onClick={() => setPicking(true)}>
          {t('otaForm:pick')}
        </Button>
        {productId === '' && <span className="dc-muted">{t('otaForm:productFirst')}</span>}
      </div>
      <Input.TextArea
        aria-label={t('otaForm:paste')}
        placeholder={t('otaForm:pastePlaceholder')}
        rows={3}
        value={pasted}
        onChange={(event) => setPasted(event.target.value)}
      />
      <div className="dc-device-list-ways">
        <Button
          disabled={pasted.trim() === ''}
          onClick={() => {
            if (add(idsInText(pasted))) setPasted('');
          }}
        >
          {t('otaForm:addPasted')}
        </Button>
      </div>
      <FileZone
        text={t('otaForm:dropFile')}
        button={t('otaForm:chooseFile')}
        accept=".csv,.txt,text/csv,text/plain"
        note={t('otaForm:fileNote')}
        onFile={(file) => void readFile(file)}
      />
      <div role="status" className="dc-device-list-told">
        {problem !== '' && <p className="dc-told-failed">{problem}</p>}
        {duplicates.length > 0 && (
          <p className="dc-muted">
            {t('otaForm:duplicates', { count: duplicates.length, ids: previewOf(duplicates) })}
          </p>
        )}
        {unknown.length > 0 && (
          <p className="dc-told-failed">
            {t('otaForm:unknown', { count: unknown.length, ids: previewOf(unknown) })}{' '}
            <Button size="small" onClick={() => keepOnly((deviceId) => !unknown.includes(deviceId))}>
              {t('otaForm:dropUnknown')}
            </Button>
          </p>
        )}
      </div>
      {value.length > 0 && (
        <div className="dc-chosen-devices">
          <div>
            <strong>{t('otaForm:chosenCount', { count: value.length })}</strong>
            <Button type="link" size="small" onClick={() => keepOnly(() => false)}>
              {t('otaForm:chooseNone')}
            </Button>
          </div>
          <div className="dc-chosen-tags">
            {(all ? value : value.slice(0, SHOWN)).map((deviceId) => (
              <span key={deviceId} className={unknown.includes(deviceId) ? 'dc-tag dc-tag-failed' : 'dc-tag'}>
                {deviceId}
                <button
                  type="button"
                  aria-label={t('otaForm:dropOne', { id: deviceId })}
                  onClick={() => keepOnly((other) => other !== deviceId)}
                >
                  <X size={12} aria-hidden />
                </button>
              </span>
            ))}
            {!all && value.length > SHOWN && value.length <= 500 && (
              <Button type="link" size="small" onClick={() => setAll(true)}>
                {t('otaForm:showAll', { count: value.length })}
              </Button>
            )}
          </div>
        </div>
      )}
      {picking && (
        <PickDevices
          productId={productId}
          appId={appId}
          present={value}
          onPick={(ids) => {
            add(ids);
            setPicking(false);
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </div>
  );
};
