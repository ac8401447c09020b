import type { DeviceDetails, LatestValue, ModelFunction } from '@device-center/contract';
import { Input } from 'antd';
import { SquareFunction } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../api/session.ts';
import { dataTypeText, definitionText, modeText } from '../../../model/function-texts.ts';
import { isReadable, isWritable, outputType } from '../../../model/values/value-draft.ts';
import { ValueView } from '../../../model/values/value-view.tsx';
import { Loaded } from '../../../ui/detail-page.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { CommandHistory } from './command-history.tsx';
import { CommandFeedback, ReadButton, useFunctionCommand } from './function-command.tsx';
import FunctionForm from './function-form.tsx';
import { type LatestValues, useLatestValues } from './latest-values.ts';
import { isProperty, useFunctions } from './model-query.ts';
import type { DetailList } from './tab-list.ts';
import './functions.css';

type CardProps = { device: DeviceDetails; entry: ModelFunction; latest: LatestValue | undefined };

/** A property that cannot be written can still be read. */
const ReadOnly = ({ device, entry }: Omit<CardProps, 'latest'>) => {
  const { t } = useTranslation('deviceDetail');
  const command = useFunctionCommand(device, entry.signCode);
  return (
    <div className="dc-function-form">
      <div className="dc-function-actions">
        <ReadButton command={command} name={entry.functionName} />
        {command.offline && <span className="dc-muted">{t('notOnline')}</span>}
      </div>
      <CommandFeedback command={command} type={outputType(entry)} />
    </div>
  );
};

const FunctionCard = ({ device, entry, latest }: CardProps) => {
  const { t } = useTranslation('deviceDetail');
  const mayWrite = useCan('device:write');
  const property = isProperty(entry) ? entry : undefined;
  const type = property?.functionDefinition.dataType;
  return (
    <article className="dc-card dc-function" aria-label={entry.functionName}>
      <header>
        <h3>{entry.functionName}</h3>
        <code className="dc-mono">{entry.signCode}</code>
        <span className="dc-tag">{modeText(entry)}</span>
      </header>
      {/* An input already shows its data type. */}
      {!(type && isWritable(entry)) && (
        <p className="dc-muted dc-small">{type ? dataTypeText(type) : definitionText(entry)}</p>
      )}
      {entry.description !== '' && <p className="dc-small">{entry.description}</p>}
      {type && latest && (
        <div className="dc-function-value dc-small">
          <span className="dc-muted">{t('current')}</span>
          <div>
            <ValueView type={type} value={latest.value} />
          </div>
        </div>
      )}
      {mayWrite && isWritable(entry) && <FunctionForm device={device} entry={entry} value={latest?.value} />}
      {mayWrite && !isWritable(entry) && <ReadOnly device={device} entry={entry} />}
    </article>
  );
};

const matches = ({ functionName, signCode }: ModelFunction, typed: string): boolean => {
  const query = typed.trim().toLowerCase();
  return functionName.toLowerCase().includes(query) || signCode.toLowerCase().includes(query);
};

type FunctionListProps = { device: DeviceDetails; functions: ModelFunction[]; values: LatestValues };

const FunctionList = ({ device, functions, values }: FunctionListProps) => {
  const { t } = useTranslation('deviceDetail');
  const [typed, setTyped] = useState('');
  const usable = functions.filter((entry) => isWritable(entry) || isReadable(entry));
  if (usable.length === 0)
    return (
      <section className="dc-card">
        <EmptyState icon={<SquareFunction size={22} />} title={t('noFunctions')} text={t('noFunctionsText')} />
      </section>
    );
  const shown = usable.filter((entry) => matches(entry, typed));
  const groups = [
    { title: t('properties'), entries: shown.filter((entry) => entry.functionType === 1 && isWritable(entry)) },
    { title: t('services'), entries: shown.filter((entry) => entry.functionType === 32) },
    // Read-only properties come last.
    { title: t('readOnly'), entries: shown.filter((entry) => !isWritable(entry)) },
  ];
  return (
    <>
      <Input
        className="dc-function-search"
        type="search"
        allowClear
        aria-label={t('search')}
        placeholder={t('search')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {groups.map(
        ({ title, entries }) =>
          entries.length > 0 && (
            <section key={title} className="dc-function-group">
              <h2>
                {title} <small>{entries.length}</small>
              </h2>
              <div className="dc-function-grid">
                {entries.map((entry) => (
                  <FunctionCard
                    key={entry.signCode}
                    device={device}
                    entry={entry}
                    latest={values.get(entry.signCode)}
                  />
                ))}
              </div>
            </section>
          ),
      )}
    </>
  );
};

type FunctionsTabProps = { device: DeviceDetails; list: DetailList };

const FunctionsTab = ({ device, list }: FunctionsTabProps) => {
  const functions = useFunctions(device.productId);
  const values = useLatestValues(device.deviceId);
  return (
    <>
      <Loaded<ModelFunction[]> query={functions}>
        {(entries) => (
          <Loaded<LatestValues> query={values}>
            {(latest) => <FunctionList device={device} functions={entries} values={latest} />}
          </Loaded>
        )}
      </Loaded>
      <CommandHistory device={device} list={list} />
    </>
  );
};

export default FunctionsTab;
