import type { Attention, DisconnectReason, FleetState, StreamEvents } from '@device-center/contract';

/** Why a connection ended, in a short form for the live events. */
const disconnects = {
  disconnect_byDevice: '设备主动断开',
  disconnect_lost: '网络中断',
  disconnect_keepAlive: '心跳超时',
  disconnect_replaced: '被同一设备的新连接取代',
  disconnect_kicked: '被强制下线',
  disconnect_blacklisted: '被加入黑名单',
  disconnect_tokenExpired: 'token 到期',
  disconnect_applicationDisabled: '应用被停用',
  disconnect_tenancyClosed: '租户被停用',
  disconnect_deleted: '设备被删除',
  disconnect_secretReset: '设备密钥被重置',
  disconnect_moved: '切换到所属可用区',
  disconnect_protocolError: '违反协议',
  disconnect_tooSlow: '接收过慢',
  disconnect_hubStopped: '平台停止或重启',
  disconnect_gatewayLost: '网关离线',
  disconnect_zoneLost: '平台与可用区的连接中断',
} as const satisfies Record<`disconnect_${DisconnectReason}`, string>;

const events = { event_info: '信息', event_call: '通知', event_alarm: '告警' } as const satisfies Record<
  `event_${StreamEvents['event']['eventType']}`,
  string
>;

const states = {
  state_online: '在线',
  state_offline: '离线',
  state_never: '从未连接',
  state_blacklisted: '黑名单',
  state_kicked: '强制下线',
} as const satisfies Record<`state_${FleetState}`, string>;

const attentions = {
  attention_failedUpgrades: '台设备升级失败',
  attention_offlineToday: '台设备今日离线',
  attention_refusedLogins: '次连接被拒绝',
  attention_lostMessages: '条已确认的消息丢失',
  attentionText_failedUpgrades: '今日升级失败的设备，可在升级任务中重试。',
  attentionText_offlineToday: '今日离线且尚未恢复的设备。',
  attentionText_refusedLogins: '今日被平台拒绝的接入。',
  attentionText_lostMessages: '数据库曾损坏或被替换。请检查磁盘和平台日志，需要时从备份恢复。',
} as const satisfies Record<`attention${'' | 'Text'}_${Attention['kind']}`, string>;

export const home = {
  ...disconnects,
  ...events,
  ...states,
  ...attentions,

  title: '消息图表',
  tenant: '租户',
  allTenants: '全部租户',
  asOf: '截至 {{time}} 的数据',

  figures: '关键指标',
  figure_deviceCount: '设备总数',
  figure_messageCount: '设备消息总数',
  figure_connectedCount: '连接过的设备',
  figure_onlineCount: '在线设备',
  today: '今日 {{change}}',
  unchanged: '今日无变化',
  trend: '近 {{days}} 天{{what}}趋势，合计 {{total}}',

  chart_messages_day: '每日消息',
  chart_messages_month: '每月消息',
  chart_accesses_day: '每日接入',
  chart_accesses_month: '每月接入',
  chartLabel: '{{title}}柱状图，{{from}} 至 {{to}}，合计 {{total}}；可切换为表格查看',
  what: '统计指标',
  what_messages: '消息',
  what_accesses: '接入',
  scope: '时间范围',
  scope_7: '近 7 天',
  scope_30: '近 30 天',
  scope_12: '近 12 个月',
  view: '显示方式',
  view_chart: '图表',
  view_table: '表格',
  unit_day: '日期',
  unit_month: '月份',
  total: '合计 {{total}}',
  partial_day: '今天尚未结束',
  partial_month: '本月尚未结束',
  soFar: '{{name}}（截至目前）',
  zone: '按 {{zone}} 时区统计',
  saveCsv: '下载 CSV',

  feed: '实时动态',
  feedLatest: '最新 {{count}} 条动态',
  feedEmpty: '还没有设备上线、下线或上报事件。',
  feedGap: '动态过多，部分未显示',
  connected: '上线',
  disconnected: '下线',
  rejected: '被拒绝',

  products: '设备按产品分布',
  productOnline: '在线 {{online}} / {{devices}}',
  otherProducts: '其他 {{total}} 个产品',
  states: '设备状态',
  offlineLink: '查看全部离线设备',
  noDevices: '还没有设备。',

  attention: '需要关注',
  attentionNone: '今日没有需要关注的事项。',
  latest: '最近',

  demonstration: '演示数据。',
  demonstrationText: '这里的设备和数据来自演示设备群，可用以下命令移除：',
  demonstrationCommand: '移除演示数据的命令',

  emptyTitle: '还没有设备',
  emptyText: '设备接入后，消息与接入的趋势显示在这里。',
  openGuide: '快速入门',
} as const;
