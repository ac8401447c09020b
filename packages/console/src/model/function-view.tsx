import type { DataType, ModelFunction, Param } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { KeyValue } from '../ui/states.tsx';
import { dataTypeText, definitionText, functionTypeText, modeText } from './function-texts.ts';
import '../ui/styles/reading.css';
import './function-view.css';

/** The contents of a data type: fields of an object, items of an enum, also within an array. */
const Inside = ({ type }: { type: DataType }) => {
  if (type.type === 'json') return <ParamTree params={type.fields} />;
  if (type.type === 'array') return <Inside type={type.element} />;
  if (type.type !== 'enum') return null;
  return (
    <ul className="dc-enum-items">
      {type.items.map(({ value, description }) => (
        <li key={value}>
          <code className="dc-mono">{value}</code> {description}
        </li>
      ))}
    </ul>
  );
};

const ParamTree = ({ params }: { params: Param[] }) => {
  const { t } = useTranslation('model');
  if (params.length === 0) return <p className="dc-muted">{t('noParams')}</p>;
  return (
    <ul className="dc-param-tree">
      {params.map((param) => (
        <li key={param.identifier}>
          <p>
            <strong>{param.name}</strong> <code className="dc-mono">{param.identifier}</code>{' '}
            <span className="dc-muted">{dataTypeText(param.dataType)}</span>{' '}
            {!param.required && <span className="dc-tag">{t('optional')}</span>}
          </p>
          <Inside type={param.dataType} />
        </li>
      ))}
    </ul>
  );
};

const Definition = ({ fn }: { fn: ModelFunction }) => {
  const { t } = useTranslation('model');
  if (fn.functionType === 1) return <Inside type={fn.functionDefinition.dataType} />;
  return (
    <>
      {fn.functionType === 32 && (
        <>
          <h3>{t('input')}</h3>
          <ParamTree params={fn.functionDefinition.input} />
        </>
      )}
      <h3>{t('output')}</h3>
      <ParamTree params={fn.functionDefinition.output} />
    </>
  );
};

const modeKeys = { 1: 'accessMode', 22: 'eventType', 32: 'callType' } as const;

/** Read-only view of one function. */
export const FunctionView = ({ fn }: { fn: ModelFunction }) => {
  const { t } = useTranslation('model');
  const property = fn.functionType === 1;
  return (
    <div className="dc-function-view">
      <KeyValue
        items={[
          { label: t('functionName'), value: fn.functionName },
          { label: t('signCode'), value: <code className="dc-mono">{fn.signCode}</code> },
          { label: t('functionType'), value: functionTypeText(fn.functionType) },
          { label: t(modeKeys[fn.functionType]), value: modeText(fn) },
          ...(property ? [{ label: t('dataType'), value: definitionText(fn) }] : []),
          { label: t('description'), value: fn.description },
        ]}
      />
      <Definition fn={fn} />
    </div>
  );
};
