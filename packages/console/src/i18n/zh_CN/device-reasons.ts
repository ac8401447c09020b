import type { ConnectRow, DisconnectReason, LogLevelId, OfflineReason } from '@device-center/contract';

type WhyKind = OfflineReason['kind'];

/** Why a connection ended. */
const cuts = {
  cut_byDevice: '设备主动断开',
  cut_lost: '网络连接中断',
  cut_keepAlive: '心跳超时，未按约定时间发送数据',
  cut_replaced: '同一设备的新连接取代了旧连接',
  cut_kicked: '被强制下线',
  cut_blacklisted: '被加入黑名单',
  cut_tokenExpired: 'token 到期未刷新',
  cut_applicationDisabled: '所属应用被停用',
  cut_tenancyClosed: '租户被停用',
  cut_deleted: '设备被删除',
  cut_secretReset: '设备密钥被重置',
  cut_moved: '被断开，以便按所属可用区重新连接',
  cut_protocolError: '违反协议，被平台断开',
  cut_tooSlow: '设备接收过慢，被平台断开',
  cut_hubStopped: '平台停止或重启',
  cut_gatewayLost: '所属网关离线',
  cut_zoneLost: '平台与其可用区的连接中断',
} as const satisfies Record<`cut_${DisconnectReason}`, string>;

/** What can be done about it. */
const cutRemedies = {
  remedy_byDevice: '如非预期，查看设备断开前的日志',
  remedy_lost: '检查设备的网络与供电；SDK 会自动重连',
  remedy_keepAlive: '检查网络质量，或调大设备的 keep-alive（10–1200 秒）',
  remedy_replaced: '若反复出现，检查是否有两台设备使用了同一个设备 ID',
  remedy_kicked: '解除上线限制，或等待到期',
  remedy_blacklisted: '将设备移出黑名单',
  remedy_tokenExpired: '设备应在到期前刷新 token（类型 9），或重新登录',
  remedy_applicationDisabled: '启用该应用，或将设备移到其他应用',
  remedy_tenancyClosed: '由平台管理员启用该租户',
  remedy_deleted: '重新登记设备后再接入',
  remedy_secretReset: '将新密钥烧录到设备',
  remedy_moved: '无需处理，设备会重新获取接入点并连接',
  remedy_protocolError: '对照协议文档检查主题、报文与签名',
  remedy_tooSlow: '检查设备的处理能力与网络带宽',
  remedy_hubStopped: '无需处理，设备会自动重连',
  remedy_gatewayLost: '先让网关恢复在线',
  remedy_zoneLost: '请检查所属可用区的节点',
} as const satisfies Record<`remedy_${DisconnectReason}`, string>;

const whys = {
  why_tenancyClosed: '设备所属租户已停用',
  why_applicationDisabled: '设备所属应用已停用',
  why_blacklisted: '设备在黑名单中',
  why_kicked: '设备被强制下线，限制尚未到期',
  why_gatewayOffline: '所属网关不在线',
  why_refused: '设备尝试接入，被平台拒绝',
  why_neverConnected: '设备从未连接过',
  why_disconnected: '连接已断开',
} as const satisfies Record<`why_${WhyKind}`, string>;

const whyRemedies = {
  whyRemedy_tenancyClosed: '启用租户后，设备才能登录',
  whyRemedy_applicationDisabled: '启用该应用，或在“配置”中将设备移到其他应用',
  whyRemedy_blacklisted: '确认设备可信后移出黑名单',
  whyRemedy_kicked: '解除限制后设备可立即登录，或等待到期',
  whyRemedy_gatewayOffline: '子设备经网关接入，先让网关恢复在线',
  whyRemedy_refused: '按原因修正设备后重试',
  whyRemedy_neverConnected: '将产品编号、设备 ID 和密钥写入设备，再让它登录',
  whyRemedy_disconnected: '检查设备的网络与供电',
} as const satisfies Record<`whyRemedy_${WhyKind}`, string>;

/** The same in a cell of a list. */
export const offlineReasons = {
  offline_byDevice: '设备主动断开',
  offline_lost: '连接中断',
  offline_keepAlive: '心跳超时',
  offline_replaced: '被新连接取代',
  offline_kicked: '被强制下线',
  offline_blacklisted: '已加入黑名单',
  offline_tokenExpired: 'token 已过期',
  offline_applicationDisabled: '应用已停用',
  offline_tenancyClosed: '租户已停用',
  offline_deleted: '已删除',
  offline_secretReset: '密钥已重置',
  offline_moved: '切换可用区',
  offline_protocolError: '违反协议',
  offline_tooSlow: '接收过慢',
  offline_hubStopped: '平台停止或重启',
  offline_gatewayLost: '网关离线',
  offline_zoneLost: '可用区连接中断',
  offline_gatewayOffline: '网关离线',
  offline_refused: '接入被拒绝',
  offline_neverConnected: '从未连接',
  offline_disconnected: '连接已断开',
} as const satisfies Record<`offline_${DisconnectReason | WhyKind}`, string>;

const statuses = { status_1: '上线', status_2: '下线', status_3: '被拒绝' } as const satisfies Record<
  `status_${ConnectRow['status']}`,
  string
>;

const levels = {
  level_2: 'TRACE',
  level_3: 'DEBUG',
  level_4: 'INFO',
  level_5: 'WARN',
  level_6: 'ERROR',
  level_7: 'FATAL',
  level_8: 'OFF（关闭）',
} as const satisfies Record<`level_${LogLevelId}`, string>;

/** A reason, a kind or a level of the contract without words here does not compile. */
export const deviceReasons = { ...cuts, ...cutRemedies, ...whys, ...whyRemedies, ...statuses, ...levels };
