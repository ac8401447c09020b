import type { Text } from '../language.ts';
import type { SystemService } from '../mqtt/system-services.ts';

type SystemFunction = { signCode: string; name: Text; functionType: 21 | 31 };

const services: Record<SystemService, Text> = {
  restart: { zh_CN: '重启', en_US: 'Restart' },
  logLevel: { zh_CN: '设置日志级别', en_US: 'Set the log level' },
  logSwitch: { zh_CN: '设置日志开关', en_US: 'Switch the log' },
  kick: { zh_CN: '强制下线', en_US: 'Kick offline' },
  ota: { zh_CN: '固件升级', en_US: 'Upgrade the firmware' },
  otaCancel: { zh_CN: '取消升级', en_US: 'Cancel the upgrade' },
};
const events: Record<string, Text> = {
  otaProgress: { zh_CN: '升级进度', en_US: 'Upgrade progress' },
  online: { zh_CN: '上线', en_US: 'Online' },
  offline: { zh_CN: '离线', en_US: 'Offline' },
};

const ofType = (functionType: 21 | 31, names: Record<string, Text>): SystemFunction[] =>
  Object.entries(names).map(([signCode, name]) => ({ signCode, name, functionType }));

/** System functions of the hub, the same for every device. They are not part of a product and cannot be edited. */
export const systemFunctions: readonly SystemFunction[] = [...ofType(31, services), ...ofType(21, events)];

const NONE: ReadonlySet<string> = new Set();
const serviceCodes: ReadonlySet<string> = new Set(Object.keys(services));
const eventCodes: ReadonlySet<string> = new Set(Object.keys(events));

/** Identifiers reserved for system functions: in a message they could not be told apart. */
export const systemSignCodes = (functionType: 1 | 22 | 32): ReadonlySet<string> => {
  if (functionType === 32) return serviceCodes;
  return functionType === 22 ? eventCodes : NONE;
};
