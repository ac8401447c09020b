import {
  CodePurpose,
  ConnectStatus,
  DeviceSortField,
  FailReason,
  Flow,
  FunctionType,
  logLevels,
  Menu,
  MessageType,
  MockRunMode,
  NodeType,
  productClasses,
  protocols,
  ServerType,
  SortMode,
  SyncDataType,
  SyncStatus,
  TaskStatus,
  TaskType,
  type Text,
  UpgradeStatus,
  ZoneType,
} from '@device-center/contract';

type Names = ReadonlyMap<number, string>;

const capital = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

/** Names by number, from the contract's constants. */
const named = (constants: Record<string, number>): Names =>
  new Map(Object.entries(constants).map(([name, value]) => [value, capital(name)]));

const labelled = (labels: Record<number, Text>): Names =>
  new Map(Object.entries(labels).map(([value, { en_US }]) => [Number(value), en_US]));

const numbered = (labels: Record<number, string>): Names =>
  new Map(Object.entries(labels).map(([value, label]) => [Number(value), label]));

const taskStatus = named(TaskStatus);

/** Names of a field's numbers. If a field has several meanings, the set of its numbers decides. */
const meanings: [fields: string[], names: Names][] = [
  [['nodeType'], named(NodeType)],
  [['protocolId'], labelled(protocols)],
  [['classId'], labelled(productClasses)],
  [['menuId', 'menus'], named(Menu)],
  [['online'], named({ online: 1, offline: 2 })],
  [['taskStatus'], named({ start: 1, suspend: 3, cancel: 4 })],
  [['taskStatus'], taskStatus],
  [['fromStatus', 'toStatus'], new Map([[-1, 'None'], ...taskStatus])],
  [['taskType'], named(TaskType)],
  [['result'], named({ unfinished: 0, success: 1, failure: 2, mixed: 3 })],
  [['reason'], named(FailReason)],
  [['status'], named({ disabled: 0, enabled: 1 })],
  [['status'], named(ConnectStatus)],
  [['status'], named(UpgradeStatus)],
  [['functionType'], named({ all: 0, config: 1, event: 2, service: 3 })],
  [['functionType'], named(FunctionType)],
  [['dataFlow'], named({ up: 1, down: 2 })],
  [['dataFlow'], named({ all: 0, up: 1, down: 2 })],
  [['response'], named(Flow)],
  [['loggerLevel', 'logLevel'], numbered(logLevels)],
  [['mode'], named(MockRunMode)],
  [['serverType'], named(ServerType)],
  [['zoneType'], named(ZoneType)],
  [['syncStatus'], named(SyncStatus)],
  [['dataType'], named(SyncDataType)],
  [['sortField'], named(DeviceSortField)],
  [['sortMode'], named(SortMode)],
  [['scopeSign'], named({ days7: 7, days30: 30 })],
  [['type'], named({ restart: 1, restartAndForgetSettings: 2 })],
  [['type'], named(CodePurpose)],
  [['type'], named(MessageType)],
];

const flag = named({ no: 0, yes: 1 });

const covers = (names: Names, values: number[]): boolean => values.every((value) => names.has(value));

/** The names of these numbers in this field; an exact set of numbers takes precedence over a larger one. */
export const namesOf = (field: string, values: number[]): string[] | undefined => {
  const ofField = meanings.flatMap(([fields, names]) => (fields.includes(field) ? [names] : []));
  const candidates = [
    ...ofField.filter((names) => names.size === values.length && covers(names, values)),
    ...ofField.filter((names) => covers(names, values)),
    ...(covers(flag, values) ? [flag] : []),
  ];
  const [names] = candidates;
  return names && values.map((value) => names.get(value) ?? '');
};

/** Description of a field whose schema does not list its numbers: `1 messageChart, 201 roleList, …`. */
export const numbersOf = (field: string): string | undefined => {
  if (field !== 'menuId' && field !== 'menus') return undefined;
  return Object.entries(Menu)
    .map(([name, value]) => `${value} ${name}`)
    .join(', ');
};

/** The name as an identifier: `Gateway child` becomes GatewayChild. */
export const variableName = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map(capital)
    .join('');
