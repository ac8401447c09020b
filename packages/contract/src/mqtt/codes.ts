import type { Text } from '../language.ts';

type DeviceCode = Text & { number: number; status: number; remedy: Text };

const code = (
  number: number,
  message: [zh_CN: string, en_US: string],
  remedy: [zh_CN: string, en_US: string],
): DeviceCode => ({
  number,
  // The first three digits are the HTTP status of the same error; codes of devices (from 60000) have none.
  status: number < 60_000 ? Math.floor(number / 100) : 409,
  zh_CN: message[0],
  en_US: message[1],
  remedy: { zh_CN: remedy[0], en_US: remedy[1] },
});

/**
 * Error codes of the device protocol: a number in MQTT, a name in HTTP, and a message and a remedy in both languages. The
 * hub responds to an unknown device with SIGNATURE, so that ids cannot be probed.
 */
export const deviceCodes = {
  MALFORMED: code(
    40001,
    ['消息无法解析', 'The message cannot be parsed'],
    [
      '检查消息头的字段及其类型，以及 payload 是否为合法 JSON',
      "Check the envelope's fields and their types, and that payload is valid JSON",
    ],
  ),
  LENGTH: code(
    40002,
    ['length 与 payload 的字节数不符', 'length does not match the number of bytes in payload'],
    ['按 UTF-8 字节数填写 length', 'Set length to the number of UTF-8 bytes in payload'],
  ),
  VERSION: code(
    40003,
    ['不支持的协议版本', 'Unsupported protocol version'],
    ['将 version 设为 1.0.1', 'Set version to 1.0.1'],
  ),
  TYPE: code(
    40004,
    ['不支持的消息类型', 'Unsupported message type, or wrong direction'],
    ['使用协议文档中的消息类型', 'Use a message type from the protocol documentation'],
  ),
  VALUE: code(
    40005,
    ['值不符合物模型', 'A value does not match the function model'],
    ['对照产品的物模型修正该值，或调整物模型', "Correct the value, or change the product's function model"],
  ),
  UNKNOWN_FUNCTION: code(
    40006,
    ['物模型中没有此功能', 'The function model has no such function'],
    [
      '在产品的物模型中添加该功能，或修正标识符',
      "Add the function to the product's function model, or correct the identifier",
    ],
  ),
  TOKEN_INVALID: code(
    40101,
    ['token 无效', 'The token is invalid'],
    ['设备需重新登录以获取新 token', 'The device must log in again for a new token'],
  ),
  TOKEN_EXPIRED: code(
    40102,
    ['token 已过期', 'The token has expired'],
    [
      '设备应在到期前刷新 token（类型 9），或重新登录',
      'The device must refresh its token before it expires (type 9), or log in again',
    ],
  ),
  SIGNATURE: code(
    40103,
    ['签名错误，或设备、产品不存在', 'Wrong signature, or unknown device or product'],
    [
      '核对 productId、deviceId 和密钥；可在设备详情中重置密钥并重新烧录，或允许设备用产品密钥重新注册一次',
      "Check productId, deviceId and the secret; on the device's page you can reset the secret or allow one re-registration",
    ],
  ),
  CLOCK: code(
    40104,
    ['设备时钟与平台相差超过 5 分钟', "The device's clock differs from the platform's by more than 5 minutes"],
    ['用响应的 Date 头或 NTP 校准设备时钟', "Set the device's clock from the Date header of the response, or by NTP"],
  ),
  REPLAY: code(
    40105,
    ['nonce 已被使用', 'The nonce was already used'],
    ['每次登录使用新的随机 nonce', 'Use a new random nonce for each login'],
  ),
  BLACKLISTED: code(
    40301,
    ['设备在黑名单中', 'The device is on the blacklist'],
    ['在黑名单页面移除该设备', 'Remove the device from the blacklist'],
  ),
  KICKED: code(
    40302,
    ['设备被强制下线，限制尚未解除', 'The device was kicked offline and its login is still restricted'],
    ['在设备详情中解除登录限制，或等待到期', "Lift the login restriction on the device's page, or wait until it ends"],
  ),
  APPLICATION_DISABLED: code(
    40303,
    ['设备所属应用已停用', "The device's application is disabled"],
    ['启用该应用，或将设备移到其他应用', 'Enable the application, or move the device to another one'],
  ),
  TENANCY_CLOSED: code(
    40304,
    ['租户已被停用', 'The tenant is disabled'],
    ['由平台管理员启用该租户', 'A platform administrator must enable the tenant'],
  ),
  REGISTRATION_CLOSED: code(
    40305,
    ['产品不允许设备自注册', 'The product does not allow self-registration'],
    ['先添加该设备，或在产品中允许自注册', 'Add the device first, or allow self-registration for the product'],
  ),
  MD5_FORBIDDEN: code(
    40306,
    ['产品不允许 MD5 签名', 'The product does not allow MD5 signatures'],
    ['设备改用 hmacsha256，或在产品中允许 MD5', 'Sign with hmacsha256, or allow MD5 for the product'],
  ),
  WRONG_TENANT: code(
    40307,
    ['tenantId 不是设备所属租户', "tenantId is not the device's tenant"],
    ['使用登录响应中的 tenantId', 'Use the tenantId from the login response'],
  ),
  NOT_A_GATEWAY: code(
    40308,
    ['设备不是网关，或子设备数已达上限', 'The device is not a gateway, or has reached its limit of child devices'],
    [
      '仅节点类型为网关的产品可挂载子设备（最多 1000 个）',
      'Only devices of a gateway product can have child devices, at most 1,000',
    ],
  ),
  NOT_YOUR_CHILD: code(
    40309,
    ['该设备不是此网关的子设备', 'The device is not a child of this gateway'],
    ['网关需先为子设备登录（类型 8）', 'The gateway must log in the child first (type 8)'],
  ),
  DATA_ID: code(
    40901,
    ['dataId 已用于另一条消息', 'The dataId was already used for another message'],
    [
      '会话内 dataId 必须递增；计数丢失时请重新登录',
      'dataId must increase within a session; log in again if the counter is lost',
    ],
  ),
  NOT_SUBSCRIBED: code(
    40902,
    ['设备已取消订阅下行主题', 'The device has unsubscribed from its downlink topic'],
    ['设备需重新订阅下行主题，或重新连接', 'The device must subscribe to its downlink topic again, or reconnect'],
  ),
  TOO_LARGE: code(
    41301,
    ['内容过大', 'The content is too large'],
    ['单条消息最大 128 KiB', 'A message can have at most 128 KiB'],
  ),
  PACKET_LIMIT: code(
    41302,
    ['消息超过设备连接时声明的 Maximum Packet Size', "The message exceeds the device's Maximum Packet Size"],
    [
      '缩短该命令，或让设备在 CONNECT 中声明更大的值',
      "Send a shorter command, or increase the value in the device's CONNECT",
    ],
  ),
  TOO_MANY: code(
    42901,
    ['请求过于频繁', 'Too many requests'],
    [
      '每台设备每分钟最多登录 10 次；重连请使用退避',
      'A device can log in at most 10 times per minute; use back-off when reconnecting',
    ],
  ),
  FAULT: code(
    50001,
    ['平台内部错误', 'Internal error'],
    ['稍后重试；查看平台日志', "Try again later; check the platform's log"],
  ),
  AWAY: code(
    50301,
    ['平台暂时不可用', 'Service temporarily unavailable'],
    ['稍后以退避方式重试', 'Try again later with back-off'],
  ),
  REFUSED: code(60001, ['设备拒绝', 'The device rejected the request'], ['查看设备日志', "Check the device's log"]),
  BUSY: code(60002, ['设备忙', 'The device is busy'], ['稍后重试', 'Try again later']),
  UNSUPPORTED: code(
    60003,
    ['设备不支持该功能', 'The device does not support this function'],
    ['核对固件版本与物模型', 'Check the firmware version against the function model'],
  ),
} as const satisfies Record<string, DeviceCode>;

export type DeviceCodeName = keyof typeof deviceCodes;

export const CODE_OK = 200;

const codeNames = new Map<number, DeviceCodeName>(
  Object.entries(deviceCodes).map(([name, { number }]) => [number, name as DeviceCodeName]),
);

/** Name of a code; undefined for a device's own code. */
export const deviceCodeName = (number: number): DeviceCodeName | undefined => codeNames.get(number);

export const isDeviceCodeName = (code: string): code is DeviceCodeName => Object.hasOwn(deviceCodes, code);
