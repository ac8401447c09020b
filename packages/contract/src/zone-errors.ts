import type { Text } from './language.ts';

/** What is refused about zones, API keys and synchronisation. */
export const zoneErrors = {
  ZONE_NOT_FOUND: { status: 404, zh_CN: '可用区不存在', en_US: 'Availability zone does not exist' },
  ZONE_NOT_FOR_DEVICES: {
    status: 409,
    zh_CN: '设备只能放入已启用的内部可用区',
    en_US: 'A device can be placed in an enabled inner zone only',
  },
  ZONE_NAME_TAKEN: { status: 409, zh_CN: '可用区名称已存在', en_US: 'The name of the zone is taken' },
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
    en_US: 'A built-in zone cannot be deleted, nor have outer nodes',
  },
  ZONE_DISABLED: { status: 409, zh_CN: '可用区已停用', en_US: 'The zone is disabled' },
  ZONE_NODE_NOT_FOUND: { status: 404, zh_CN: '节点不存在', en_US: 'The node does not exist' },
  CERTIFICATE_TYPE: {
    status: 400,
    zh_CN: '证书须为 CER、CRT、PEM 或 P12 文件',
    en_US: 'A certificate is a CER, CRT, PEM or P12 file',
  },
  CERTIFICATE_TOO_LARGE: {
    status: 413,
    zh_CN: '证书文件不能超过 5 MB',
    en_US: 'A certificate file has at most 5 MB',
  },
  CERTIFICATE_UNREADABLE: {
    status: 400,
    zh_CN: '证书无法解析：{reason}',
    en_US: 'The certificate cannot be read: {reason}',
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
  API_KEY_NAME_TAKEN: { status: 409, zh_CN: 'API 密钥名称已存在', en_US: 'The name of the API key is taken' },
  API_KEY_INVALID: {
    status: 401,
    zh_CN: 'API 密钥无效、已撤销或已过期',
    en_US: 'The API key is not valid, revoked or expired',
  },
  API_KEY_SCOPE: {
    status: 403,
    zh_CN: '该 API 密钥不能用于此操作',
    en_US: 'This API key is not for that',
  },
  USER_SESSION_REQUIRED: {
    status: 403,
    zh_CN: '该操作须由登录用户进行，不能使用 API 密钥',
    en_US: 'Only a person who is logged in may do this, not an API key',
  },
  EXPIRY_PAST: { status: 400, zh_CN: '到期时间须晚于现在', en_US: 'The expiry must lie in the future' },
} as const satisfies Record<string, Text & { status: number }>;

/** Why a node cannot be used; told by the connection test, by the zone's state and by failed synchronisation. */
export const nodeProblemTexts = {
  addressForbidden: {
    zh_CN: '该地址不允许访问（{address}）：它属于本平台自身或受保护的网络',
    en_US: 'This address may not be asked ({address}): it is of the hub itself or of a protected network',
  },
  addressInvalid: { zh_CN: '地址无法识别', en_US: 'The address cannot be understood' },
  nameNotFound: { zh_CN: '找不到主机名 {host}', en_US: 'The name {host} is not found' },
  refused: { zh_CN: '{host}:{port} 拒绝连接', en_US: '{host}:{port} refused the connection' },
  unreachable: { zh_CN: '无法到达 {host}:{port}', en_US: '{host}:{port} cannot be reached' },
  timeout: { zh_CN: '{host}:{port} 在规定时间内没有应答', en_US: '{host}:{port} did not answer in time' },
  tls: { zh_CN: '无法建立 TLS 连接：{reason}', en_US: 'TLS could not be set up: {reason}' },
  tlsExpected: {
    zh_CN: '{host}:{port} 要求 TLS 加密连接，请开启 TLS 或使用 mqtts://、https:// 地址',
    en_US: '{host}:{port} expects TLS: turn it on, or write the address with mqtts:// or https://',
  },
  certificate: { zh_CN: '对方的证书不被信任：{reason}', en_US: 'Its certificate is not trusted: {reason}' },
  certificateName: {
    zh_CN: '对方的证书不是颁发给 {host} 的',
    en_US: 'Its certificate is not made out to {host}',
  },
  clientCertificate: {
    zh_CN: '对方要求或不接受客户端证书',
    en_US: 'It asks for another client certificate',
  },
  credentials: { zh_CN: '账号或密码不正确', en_US: 'The account or password is wrong' },
  notAllowed: { zh_CN: '该账号不允许连接', en_US: 'The account may not connect' },
  topic: { zh_CN: '不允许使用主题 {topic}', en_US: 'The topic {topic} is not allowed' },
  protocol: { zh_CN: '对方的应答不是所期望的协议', en_US: 'It does not speak the expected protocol' },
  redirect: { zh_CN: '对方要求转到别处，这不被接受', en_US: 'It leads elsewhere, which is not followed' },
  httpStatus: { zh_CN: '对方以状态 {status} 应答：{reason}', en_US: 'It answered with status {status}: {reason}' },
  keyMissing: {
    zh_CN: '对方要求 API 密钥或账号，但该节点未设置',
    en_US: 'It asks for an API key or an account, and the node has none',
  },
  closed: { zh_CN: '对方关闭了连接', en_US: 'It closed the connection' },
  zoneUnknown: {
    zh_CN: '对方没有可用区 {zoneId}',
    en_US: 'The other side has no zone {zoneId}',
  },
} as const satisfies Record<string, Text>;

export type NodeProblem = keyof typeof nodeProblemTexts;
export const nodeProblems = Object.keys(nodeProblemTexts) as [NodeProblem, ...NodeProblem[]];
