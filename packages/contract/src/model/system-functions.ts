import type { Text } from '../language.ts';

type SystemFunction = { signCode: string; name: Text; functionType: 21 | 31 };

const service = (signCode: string, zh_CN: string, en_US: string): SystemFunction => ({
  signCode,
  name: { zh_CN, en_US },
  functionType: 31,
});
const event = (signCode: string, zh_CN: string, en_US: string): SystemFunction => ({
  signCode,
  name: { zh_CN, en_US },
  functionType: 21,
});

/** The hub's own functions, the same for every device. They are not rows of a product, and cannot be edited. */
export const systemFunctions: readonly SystemFunction[] = [
  service('restart', '重启', 'Restart'),
  service('logLevel', '设置日志级别', 'Set the log level'),
  service('logSwitch', '设置日志开关', 'Switch the log'),
  service('kick', '强制下线', 'Kick offline'),
  service('ota', '固件升级', 'Upgrade the firmware'),
  service('otaCancel', '取消升级', 'Cancel the upgrade'),
  event('otaProgress', '升级进度', 'Upgrade progress'),
  event('online', '上线', 'Online'),
  event('offline', '离线', 'Offline'),
];

const NONE: ReadonlySet<string> = new Set();
const codesOf = (functionType: 21 | 31): ReadonlySet<string> =>
  new Set(systemFunctions.filter((entry) => entry.functionType === functionType).map(({ signCode }) => signCode));
const services = codesOf(31);
const events = codesOf(21);

/** Words that a service or an event cannot have, since on the wire it would be taken for the system's. */
export const systemSignCodes = (functionType: 1 | 22 | 32): ReadonlySet<string> => {
  if (functionType === 32) return services;
  return functionType === 22 ? events : NONE;
};
