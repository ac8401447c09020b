import type { Text } from '../language.ts';

type DeviceCode = Text & { number: number; status: number; remedy: Text };

const code = (
  number: number,
  said: [zh_CN: string, en_US: string],
  todo: [zh_CN: string, en_US: string],
): DeviceCode => ({
  number,
  // The number's first three digits are the HTTP status of the same refusal; a device's own has none.
  status: number < 60_000 ? Math.floor(number / 100) : 409,
  zh_CN: said[0],
  en_US: said[1],
  remedy: { zh_CN: todo[0], en_US: todo[1] },
});

/**
 * What the hub says to devices: a number on MQTT, a word on HTTP, a sentence and a remedy for people in both
 * languages. An unknown device is answered as SIGNATURE, so that ids cannot be probed.
 */
export const deviceCodes = {
  MALFORMED: code(
    40001,
    ['消息无法解析', 'The message cannot be read'],
    [
      '检查信封字段、类型和 payload 是否为合法 JSON',
      'Check the fields of the envelope, their types, and that payload holds JSON',
    ],
  ),
  LENGTH: code(
    40002,
    ['length 与 payload 的字节数不符', 'length is not the number of bytes of payload'],
    ['按 UTF-8 字节数填写 length', 'Set length to the UTF-8 bytes of payload'],
  ),
  VERSION: code(
    40003,
    ['不支持的协议版本', 'Unknown protocol version'],
    ['将 version 设为 1.0.1', 'Set version to 1.0.1'],
  ),
  TYPE: code(
    40004,
    ['不支持的消息类型', 'Unknown message type, or not in this direction'],
    ['使用协议文档中的消息类型', 'Use a message type of the protocol page'],
  ),
  VALUE: code(
    40005,
    ['值不符合物模型', 'A value does not fit the model'],
    ['对照产品的物模型修正该值，或调整物模型', "Mend the value, or the product's model"],
  ),
  UNKNOWN_FUNCTION: code(
    40006,
    ['物模型中没有此功能', 'The model has no such function'],
    ['在产品的物模型中添加该功能，或修正标识符', "Add the function to the product's model, or mend the identifier"],
  ),
  TOKEN_INVALID: code(
    40101,
    ['token 无效', 'The token is not valid'],
    ['设备需重新登录以获取新 token', 'Have the device log in again for a new token'],
  ),
  TOKEN_EXPIRED: code(
    40102,
    ['token 已过期', 'The token has expired'],
    [
      '设备应在到期前刷新 token（类型 9），或重新登录',
      'Have the device refresh its token in time (type 9), or log in again',
    ],
  ),
  SIGNATURE: code(
    40103,
    ['签名错误，或设备、产品不存在', 'Wrong signature, or unknown device or product'],
    [
      '核对 productId、deviceId 和密钥；可在设备详情重置密钥后重新烧录，或允许设备用产品密钥重新注册一次',
      "Compare productId, deviceId and secret; the device's page can reset the secret, or allow one re-registration",
    ],
  ),
  CLOCK: code(
    40104,
    ['设备时钟与平台相差超过 5 分钟', "The device's clock is more than 5 minutes off"],
    ['用响应的 Date 头或 NTP 校准设备时钟', 'Set the clock from the Date header of the answer, or by NTP'],
  ),
  REPLAY: code(
    40105,
    ['nonce 已被使用', 'The nonce was used already'],
    ['每次登录使用新的随机 nonce', 'Use a new random nonce for each log-in'],
  ),
  BLACKLISTED: code(
    40301,
    ['设备在黑名单中', 'The device is on the blacklist'],
    ['在黑名单页面移除该设备', 'Take the device off the blacklist'],
  ),
  KICKED: code(
    40302,
    ['设备被强制下线，限制尚未解除', 'The device was kicked offline, and the restriction still holds'],
    ['在设备详情解除上线限制，或等待到期', "Release the restriction on the device's page, or wait for its end"],
  ),
  APPLICATION_DISABLED: code(
    40303,
    ['设备所属应用已停用', "The device's application is disabled"],
    ['启用该应用，或将设备移到其他应用', 'Enable the application, or move the device to another'],
  ),
  TENANCY_CLOSED: code(
    40304,
    ['租户已被停用', 'The tenant is closed'],
    ['由平台管理员启用该租户', 'Have a platform operator open the tenant'],
  ),
  REGISTRATION_CLOSED: code(
    40305,
    ['产品不允许设备自行注册', 'The product does not let devices register themselves'],
    ['先登记该设备，或在产品中允许自注册', 'Register the device first, or allow it on the product'],
  ),
  MD5_FORBIDDEN: code(
    40306,
    ['产品不允许 MD5 签名', 'The product does not allow MD5 signatures'],
    ['设备改用 hmacsha256，或在产品中允许 MD5', 'Sign with hmacsha256, or allow MD5 on the product'],
  ),
  WRONG_TENANT: code(
    40307,
    ['tenantId 不是设备所属租户', "tenantId is not the device's tenant"],
    ['使用登录响应中的 tenantId', 'Use the tenantId of the log-in answer'],
  ),
  NOT_A_GATEWAY: code(
    40308,
    ['设备不是网关，或子设备数已达上限', 'The device is no gateway, or has no place for another child'],
    [
      '仅节点类型为网关的产品可挂载子设备（最多 1000 个）',
      'Only products of node type gateway have children, at most 1,000',
    ],
  ),
  NOT_YOUR_CHILD: code(
    40309,
    ['该设备不是此网关的子设备', 'This device is no child of the gateway'],
    ['网关需先为子设备登录（类型 8）', 'Log the child in through the gateway first (type 8)'],
  ),
  DATA_ID: code(
    40901,
    ['dataId 已用于另一条消息', 'The dataId was used for another message'],
    [
      '会话内 dataId 必须递增；计数丢失时请重新登录',
      'dataId must rise within its session; log in again when the counter is lost',
    ],
  ),
  NOT_SUBSCRIBED: code(
    40902,
    ['设备已取消订阅下行主题', 'The device has unsubscribed from its down topic'],
    ['设备需重新订阅下行主题，或重新连接', 'Have the device subscribe to its down topic again, or reconnect'],
  ),
  TOO_LARGE: code(
    41301,
    ['内容过大', 'The content is too large'],
    ['单条消息最大 128 KiB', 'A message has at most 128 KiB'],
  ),
  PACKET_LIMIT: code(
    41302,
    ['消息超过设备连接时声明的 Maximum Packet Size', "The message exceeds the device's Maximum Packet Size"],
    [
      '缩短该指令，或让设备在 CONNECT 中声明更大的值',
      "Send a smaller command, or raise the value in the device's CONNECT",
    ],
  ),
  TOO_MANY: code(
    42901,
    ['请求过于频繁', 'Too many requests'],
    [
      '每台设备每分钟最多登录 10 次；重连请使用退避',
      'At most 10 log-ins a minute and device; back off when reconnecting',
    ],
  ),
  FAULT: code(
    50001,
    ['平台内部错误', 'Internal error'],
    ['稍后重试；查看平台日志', "Try again later; see the hub's log"],
  ),
  AWAY: code(
    50301,
    ['平台暂时不可用', 'A part that is needed is away'],
    ['稍后以退避方式重试', 'Try again later, backing off'],
  ),
  REFUSED: code(60001, ['设备拒绝', 'The device refused'], ['查看设备日志', "See the device's log"]),
  BUSY: code(60002, ['设备忙', 'The device is busy'], ['稍后重试', 'Try again later']),
  UNSUPPORTED: code(
    60003,
    ['设备不支持该功能', 'The device does not support this'],
    ['核对固件版本与物模型', 'Compare the firmware with the model'],
  ),
} as const satisfies Record<string, DeviceCode>;

export type DeviceCodeName = keyof typeof deviceCodes;

export const CODE_OK = 200;

const words = new Map<number, DeviceCodeName>(
  Object.entries(deviceCodes).map(([word, { number }]) => [number, word as DeviceCodeName]),
);

/** The word of a number, or nothing for a number that is a device's own. */
export const deviceCodeName = (number: number): DeviceCodeName | undefined => words.get(number);

export const isDeviceCodeName = (code: string): code is DeviceCodeName => Object.hasOwn(deviceCodes, code);
