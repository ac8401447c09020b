import {
  type DataType,
  type DataTypeKind,
  FunctionType,
  type FunctionWithId,
  type OwnFunctionType,
  type Param,
} from '@device-center/contract';
import { uniqueIdentifier } from './unique-identifier.ts';

// The state of the form: texts as typed. Each data type holds the fields of all kinds, so that switching to another
// kind and back keeps the input.

export type FormItem = { key: string; value: string; description: string };
export type FormType = {
  type: DataTypeKind;
  min: string;
  max: string;
  step: string;
  unit: string;
  length: string;
  count: string;
  trueText: string;
  falseText: string;
  items: FormItem[];
  fields: FormParam[];
  /** Created on demand, because elements can be nested without end. */
  element: FormType | null;
};
export type FormParam = { key: string; identifier: string; name: string; required: boolean; dataType: FormType };

export type FunctionForm = {
  id: string | undefined;
  functionType: OwnFunctionType;
  signCode: string;
  functionName: string;
  description: string;
  functionDefinition: {
    accessMode: string;
    callType: string;
    eventType: string;
    dataType: FormType;
    input: FormParam[];
    output: FormParam[];
  };
};

let lastKey = 0;
export const newFormKey = (): string => {
  lastKey += 1;
  return `entry-${lastKey}`;
};

export const blankItem = (): FormItem => ({ key: newFormKey(), value: '', description: '' });

export const blankType = (type: DataTypeKind = 'integer'): FormType => ({
  type,
  min: '',
  max: '',
  step: '',
  unit: '',
  length: '64',
  count: '10',
  trueText: '',
  falseText: '',
  items: [],
  fields: [],
  element: null,
});

export const blankParam = (): FormParam => ({
  key: newFormKey(),
  identifier: '',
  name: '',
  required: true,
  dataType: blankType(),
});

const rekeyed = (type: FormType): FormType => ({
  ...type,
  items: type.items.map((item) => ({ ...item, key: newFormKey() })),
  fields: type.fields.map((field) => ({ ...field, key: newFormKey(), dataType: rekeyed(field.dataType) })),
  element: type.element && rekeyed(type.element),
});

/** A copy of a parameter with a unique identifier. */
export const copyParam = (param: FormParam, beside: readonly FormParam[]): FormParam => ({
  ...param,
  key: newFormKey(),
  identifier: uniqueIdentifier(param.identifier, new Set(beside.map(({ identifier }) => identifier))),
  dataType: rekeyed(param.dataType),
});

export const blankForm = (functionType: OwnFunctionType): FunctionForm => ({
  id: undefined,
  functionType,
  signCode: '',
  functionName: '',
  description: '',
  functionDefinition: {
    accessMode: 'rw',
    callType: 'sync',
    eventType: 'info',
    dataType: blankType(),
    input: functionType === FunctionType.service ? [blankParam()] : [],
    output: functionType === FunctionType.event ? [blankParam()] : [],
  },
});

const text = (value: number | string | undefined): string => (value === undefined ? '' : String(value));
/** The input rule requires exactly two decimals. */
const decimals = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(2));

const formOfType = (type: DataType): FormType => {
  const blank = blankType(type.type);
  switch (type.type) {
    case 'integer':
    case 'long':
      return { ...blank, min: text(type.min), max: text(type.max), step: text(type.step), unit: text(type.unit) };
    case 'double':
      return {
        ...blank,
        min: decimals(type.min),
        max: decimals(type.max),
        step: decimals(type.step),
        unit: text(type.unit),
      };
    case 'enum':
      return { ...blank, items: type.items.map((item) => ({ ...item, key: newFormKey() })) };
    case 'boolean':
      return { ...blank, trueText: text(type.trueText), falseText: text(type.falseText) };
    case 'string':
      return { ...blank, length: text(type.length) };
    case 'json':
      return { ...blank, fields: type.fields.map(formOfParam) };
    case 'array':
      return { ...blank, count: text(type.count), element: formOfType(type.element) };
  }
};

const formOfParam = (param: Param): FormParam => ({
  key: newFormKey(),
  identifier: param.identifier,
  name: param.name,
  required: param.required,
  dataType: formOfType(param.dataType),
});

export const formOf = (fn: FunctionWithId): FunctionForm => {
  const { functionDefinition, ...blank } = blankForm(fn.functionType);
  const { id, signCode, functionName, description } = fn;
  const whole = { ...blank, id, signCode, functionName, description };
  if (fn.functionType === FunctionType.property) {
    const { accessMode, dataType } = fn.functionDefinition;
    return { ...whole, functionDefinition: { ...functionDefinition, accessMode, dataType: formOfType(dataType) } };
  }
  const output = fn.functionDefinition.output.map(formOfParam);
  if (fn.functionType === FunctionType.event) {
    const { eventType } = fn.functionDefinition;
    return { ...whole, functionDefinition: { ...functionDefinition, eventType, output } };
  }
  const { callType, input } = fn.functionDefinition;
  return { ...whole, functionDefinition: { ...functionDefinition, callType, input: input.map(formOfParam), output } };
};

const rawType = (form: FormType): Record<string, unknown> => {
  const { type } = form;
  switch (type) {
    case 'integer':
    case 'long':
    case 'double':
      return { type, min: form.min, max: form.max, step: form.step, unit: form.unit };
    case 'enum':
      return { type, items: form.items.map(({ value, description }) => ({ value, description })) };
    case 'boolean':
      return { type, trueText: form.trueText, falseText: form.falseText };
    case 'string':
      return { type, length: form.length };
    case 'json':
      return { type, fields: form.fields.map(rawParam) };
    case 'array':
      return { type, element: rawType(form.element ?? blankType()), count: form.count };
  }
};

const rawParam = ({ identifier, name, required, dataType }: FormParam): Record<string, unknown> => ({
  identifier,
  name,
  dataType: rawType(dataType),
  required,
});

const rawDefinition = ({ functionType, functionDefinition: form }: FunctionForm): Record<string, unknown> => {
  if (functionType === FunctionType.property) return { accessMode: form.accessMode, dataType: rawType(form.dataType) };
  const output = form.output.map(rawParam);
  if (functionType === FunctionType.event) return { eventType: form.eventType, output };
  return { callType: form.callType, input: form.input.map(rawParam), output };
};

/** Input for the contract's schema, with the texts as typed: only the schema validates. */
export const rawOf = (form: FunctionForm): Record<string, unknown> => ({
  ...(form.id === undefined ? {} : { id: form.id }),
  signCode: form.signCode,
  functionName: form.functionName,
  functionType: form.functionType,
  description: form.description,
  functionDefinition: rawDefinition(form),
});
