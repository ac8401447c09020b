import type { ConnectRow, DisconnectReason, LogLevelId, OfflineReason } from '@device-center/contract';

type OfflineReasonKind = OfflineReason['kind'];

/** Why a connection ended. */
const disconnects = {
  disconnect_byDevice: '设备主动断开',
  disconnect_lost: '网络连接中断',
  disconnect_keepAlive: '心跳超时，未按约定时间发送数据',
  disconnect_replaced: '被同一设备的新连接取代',
  disconnect_kicked: '被强制下线',
  disconnect_blacklisted: '被加入黑名单',
  disconnect_tokenExpired: 'token 到期未刷新',
  disconnect_applicationDisabled: '所属应用被停用',
  disconnect_tenancyClosed: '租户被停用',
  disconnect_deleted: '设备被删除',
  disconnect_secretReset: '设备密钥被重置',
  disconnect_moved: '断开以便在所属可用区重新连接',
  disconnect_protocolError: '违反协议，被平台断开',
  disconnect_tooSlow: '设备接收过慢，被平台断开',
  disconnect_hubStopped: '平台停止或重启',
  disconnect_gatewayLost: '所属网关离线',
  disconnect_zoneLost: '平台与所属可用区的连接中断',
} as const satisfies Record<`disconnect_${DisconnectReason}`, string>;

/** What the operator can do about it. */
const disconnectRemedies = {
  disconnectRemedy_byDevice: '如非预期，查看设备断开前的日志',
  disconnectRemedy_lost: '检查设备的网络与供电；SDK 会自动重连',
  disconnectRemedy_keepAlive: '检查网络质量，或调大设备的 keep-alive（10–1200 秒）',
  disconnectRemedy_replaced: '若反复出现，检查是否有两台设备使用了同一个设备 ID',
  disconnectRemedy_kicked: '解除登录限制，或等待到期',
  disconnectRemedy_blacklisted: '将设备移出黑名单',
  disconnectRemedy_tokenExpired: '设备应在到期前刷新 token（类型 9），或重新登录',
  disconnectRemedy_applicationDisabled: '启用该应用，或将设备移到其他应用',
  disconnectRemedy_tenancyClosed: '请平台管理员启用该租户',
  disconnectRemedy_deleted: '重新添加设备后再接入',
  disconnectRemedy_secretReset: '将新密钥烧录到设备',
  disconnectRemedy_moved: '无需处理，设备会重新获取接入地址并连接',
  disconnectRemedy_protocolError: '对照协议文档检查主题、报文与签名',
  disconnectRemedy_tooSlow: '检查设备的处理能力与网络带宽',
  disconnectRemedy_hubStopped: '无需处理，设备会自动重连',
  disconnectRemedy_gatewayLost: '先让网关上线',
  disconnectRemedy_zoneLost: '检查所属可用区的节点',
} as const satisfies Record<`disconnectRemedy_${DisconnectReason}`, string>;

const longOfflineReasons = {
  offlineReason_tenancyClosed: '设备所属租户已停用',
  offlineReason_applicationDisabled: '设备所属应用已停用',
  offlineReason_blacklisted: '设备在黑名单中',
  offlineReason_kicked: '设备被强制下线，登录限制尚未到期',
  offlineReason_gatewayOffline: '所属网关离线',
  offlineReason_refused: '设备尝试接入，被平台拒绝',
  offlineReason_neverConnected: '设备从未连接过',
  offlineReason_disconnected: '连接已断开',
} as const satisfies Record<`offlineReason_${OfflineReasonKind}`, string>;

const offlineRemedies = {
  offlineRemedy_tenancyClosed: '启用租户后，设备才能登录',
  offlineRemedy_applicationDisabled: '启用该应用，或在“配置”中将设备移到其他应用',
  offlineRemedy_blacklisted: '确认设备可信后移出黑名单',
  offlineRemedy_kicked: '解除限制后设备可立即登录，或等待限制到期',
  offlineRemedy_gatewayOffline: '子设备经网关接入，请先让网关上线',
  offlineRemedy_refused: '按原因修正后重试',
  offlineRemedy_neverConnected: '将产品 Key、设备 ID 和密钥写入设备后登录',
  offlineRemedy_disconnected: '检查设备的网络与供电',
} as const satisfies Record<`offlineRemedy_${OfflineReasonKind}`, string>;

/** Short forms for table cells. */
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
  offline_deleted: '设备已删除',
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
} as const satisfies Record<`offline_${DisconnectReason | OfflineReasonKind}`, string>;

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

/** A reason, a kind or a level of the contract without a text does not compile. */
export const deviceReasons = {
  ...disconnects,
  ...disconnectRemedies,
  ...longOfflineReasons,
  ...offlineRemedies,
  ...statuses,
  ...levels,
};
