import type { Text } from './language.ts';

/** Errors of zones and API keys. */
export const zoneErrors = {
  ZONE_NOT_FOUND: { status: 404, zh_CN: '可用区不存在', en_US: 'Availability zone does not exist' },
  ZONE_NOT_FOR_DEVICES: {
    status: 409,
    zh_CN: '设备只能归属已启用的内部可用区',
    en_US: 'Devices can only be assigned to an enabled inner zone',
  },
  ZONE_NAME_TAKEN: { status: 409, zh_CN: '可用区名称已存在', en_US: 'A zone with this name already exists' },
  ZONE_HAS_DEVICES: {
    status: 409,
    zh_CN: '可用区“{zoneName}”下有 {devices} 台设备，不能删除',
    en_US: 'The zone has devices and cannot be deleted: {zoneName} ({devices} {devices:device|devices})',
  },
  ZONE_TYPE_HAS_DEVICES: {
    status: 409,
    zh_CN: '可用区“{zoneName}”下有 {devices} 台设备，不能改为外部节点',
    en_US: 'The zone has devices and cannot have outer nodes: {zoneName} ({devices} {devices:device|devices})',
  },
  ZONE_BUILT_IN: {
    status: 409,
    zh_CN: '内置可用区不能删除，也不能改为外部节点',
    en_US: 'A built-in zone cannot be deleted or have outer nodes',
  },
  ZONE_DISABLED: { status: 409, zh_CN: '可用区已停用', en_US: 'The zone is disabled' },
  ZONE_NODE_NOT_FOUND: { status: 404, zh_CN: '节点不存在', en_US: 'The node does not exist' },
  CERTIFICATE_TYPE: {
    status: 400,
    zh_CN: '证书须为 CER、CRT、PEM 或 P12 文件',
    en_US: 'The certificate must be a CER, CRT, PEM or P12 file',
  },
  CERTIFICATE_TOO_LARGE: {
    status: 413,
    zh_CN: '证书文件不能超过 5 MB',
    en_US: 'The certificate file can be at most 5 MB',
  },
  CERTIFICATE_UNREADABLE: {
    status: 400,
    zh_CN: '证书无法解析：{reason}',
    en_US: 'The certificate cannot be parsed: {reason}',
  },
  CERTIFICATE_PASSWORD: {
    status: 400,
    zh_CN: '证书文件的密码不正确',
    en_US: 'The password of the certificate file is wrong',
  },
  CERTIFICATE_EXPIRED: {
    status: 400,
    zh_CN: '证书已于 {validTo} 过期',
    en_US: 'The certificate expired on {validTo}',
  },
  CERTIFICATE_NOT_YET: {
    status: 400,
    zh_CN: '证书自 {validFrom} 起才有效',
    en_US: 'The certificate is not valid before {validFrom}',
  },
  API_KEY_NOT_FOUND: { status: 404, zh_CN: 'API 密钥不存在', en_US: 'API key does not exist' },
  API_KEY_NAME_TAKEN: { status: 409, zh_CN: 'API 密钥名称已存在', en_US: 'An API key with this name already exists' },
  API_KEY_INVALID: {
    status: 401,
    zh_CN: 'API 密钥无效、已撤销或已过期',
    en_US: 'The API key is invalid, revoked or expired',
  },
  API_KEY_SCOPE: {
    status: 403,
    zh_CN: '该 API 密钥不能用于此操作',
    en_US: 'This API key cannot be used for this operation',
  },
  USER_SESSION_REQUIRED: {
    status: 403,
    zh_CN: '该操作仅限登录用户，不能使用 API 密钥',
    en_US: 'This operation requires a logged-in user; an API key cannot be used',
  },
  EXPIRY_PAST: { status: 400, zh_CN: '到期时间须晚于当前时间', en_US: 'The expiry time must be in the future' },
} as const satisfies Record<string, Text & { status: number }>;

/** Why a node cannot be used; shown by the connection test, the zone's state and failed synchronisation. */
export const nodeProblemTexts = {
  addressForbidden: {
    zh_CN: '不允许访问该地址（{address}）：属于本平台自身或受保护的网络',
    en_US:
      'Access to this address is not allowed ({address}): it belongs to the platform itself or a protected network',
  },
  addressInvalid: { zh_CN: '地址格式无效', en_US: 'Invalid address' },
  nameNotFound: { zh_CN: '找不到主机名 {host}', en_US: 'Host name {host} not found' },
  refused: { zh_CN: '{host}:{port} 拒绝连接', en_US: '{host}:{port} refused the connection' },
  unreachable: { zh_CN: '无法连接 {host}:{port}', en_US: '{host}:{port} cannot be reached' },
  timeout: { zh_CN: '{host}:{port} 未在规定时间内响应', en_US: '{host}:{port} did not respond in time' },
  tls: { zh_CN: '无法建立 TLS 连接：{reason}', en_US: 'TLS connection failed: {reason}' },
  tlsExpected: {
    zh_CN: '{host}:{port} 要求 TLS 加密连接，请开启 TLS 或使用 mqtts://、https:// 地址',
    en_US: '{host}:{port} requires TLS: enable it, or use an mqtts:// or https:// address',
  },
  certificate: { zh_CN: '服务器证书不受信任：{reason}', en_US: 'The server certificate is not trusted: {reason}' },
  certificateName: {
    zh_CN: '服务器证书不是颁发给 {host} 的',
    en_US: 'The server certificate was not issued for {host}',
  },
  clientCertificate: {
    zh_CN: '服务器要求客户端证书，或不接受当前的客户端证书',
    en_US: 'The server requires a client certificate, or does not accept this one',
  },
  credentials: { zh_CN: '账号或密码不正确', en_US: 'The account or password is wrong' },
  notAllowed: { zh_CN: '该账号不允许连接', en_US: 'The account is not allowed to connect' },
  topic: { zh_CN: '不允许使用主题 {topic}', en_US: 'The topic {topic} is not allowed' },
  protocol: { zh_CN: '服务器的响应不符合预期的协议', en_US: 'The server does not use the expected protocol' },
  redirect: { zh_CN: '服务器要求重定向，不支持重定向', en_US: 'The server sent a redirect, which is not followed' },
  httpStatus: { zh_CN: '服务器返回状态 {status}：{reason}', en_US: 'The server returned status {status}: {reason}' },
  keyMissing: {
    zh_CN: '服务器要求 API 密钥或账号，但该节点未设置',
    en_US: 'The server requires an API key or an account, but the node has none',
  },
  closed: { zh_CN: '服务器关闭了连接', en_US: 'The server closed the connection' },
  zoneUnknown: {
    zh_CN: '对方平台没有可用区 {zoneId}',
    en_US: 'The other platform has no zone {zoneId}',
  },
} as const satisfies Record<string, Text>;

export type NodeProblem = keyof typeof nodeProblemTexts;
export const nodeProblems = Object.keys(nodeProblemTexts) as [NodeProblem, ...NodeProblem[]];
