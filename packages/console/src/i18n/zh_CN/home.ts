import type { Attention, DisconnectReason, FleetState, StreamEvents } from '@device-center/contract';

/** Why a connection ended, short enough for a line of the live list. */
const cuts = {
  cut_byDevice: '设备主动断开',
  cut_lost: '网络中断',
  cut_keepAlive: '心跳超时',
  cut_replaced: '被同一设备的新连接取代',
  cut_kicked: '被强制下线',
  cut_blacklisted: '被加入黑名单',
  cut_tokenExpired: 'token 到期',
  cut_applicationDisabled: '应用被停用',
  cut_tenancyClosed: '租户被停用',
  cut_deleted: '设备被删除',
  cut_secretReset: '密钥被重置',
  cut_moved: '转到所属可用区',
  cut_protocolError: '违反协议',
  cut_tooSlow: '接收过慢',
  cut_hubStopped: '平台停止或重启',
  cut_gatewayLost: '网关离线',
  cut_zoneLost: '平台与可用区的连接中断',
} as const satisfies Record<`cut_${DisconnectReason}`, string>;

const events = { event_info: '信息', event_call: '通知', event_alarm: '告警' } as const satisfies Record<
  `event_${StreamEvents['event']['eventType']}`,
  string
>;

const states = {
  state_online: '在线',
  state_offline: '离线',
  state_never: '从未上线',
  state_blacklisted: '黑名单',
  state_kicked: '强制下线中',
} as const satisfies Record<`state_${FleetState}`, string>;

const attentions = {
  attention_failedUpgrades: '台设备升级失败',
  attention_offlineToday: '台设备今日离线',
  attention_refusedLogins: '次登录被拒绝',
  attention_lostMessages: '条已确认的消息丢失',
  attentionText_failedUpgrades: '今日结束的升级中失败的设备，可在任务中重试。',
  attentionText_offlineToday: '今日断开，至今没有恢复。',
  attentionText_refusedLogins: '今日有设备尝试接入，平台没有放行。',
  attentionText_lostMessages: '数据库曾损坏或被替换。请检查磁盘和平台日志，需要时从备份恢复。',
} as const satisfies Record<`attention${'' | 'Text'}_${Attention['kind']}`, string>;

export const home = {
  ...cuts,
  ...events,
  ...states,
  ...attentions,

  title: '消息图表',
  tenant: '租户',
  allTenants: '全部租户',
  asOf: '截至 {{time}} 的数据',

  figures: '关键数字',
  figure_deviceCount: '设备总数',
  figure_messageCount: '设备消息总数',
  figure_connectedCount: '接入过的设备',
  figure_onlineCount: '在线设备',
  today: '今日 {{change}}',
  unchanged: '今日无变化',
  trend: '近 {{days}} 天{{what}}走势，合计 {{total}}',

  chart_messages_day: '每日消息',
  chart_messages_month: '每月消息',
  chart_accesses_day: '每日接入',
  chart_accesses_month: '每月接入',
  chartLabel: '{{title}}柱状图，{{from}} 至 {{to}}，合计 {{total}}；可切换为表格查看',
  what: '统计内容',
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
  feedEmpty: '还没有设备上下线，也没有上报事件。',
  feedGap: '动态过多，平台跳过了一部分',
  connected: '上线',
  disconnected: '下线',
  refused: '被拒绝',

  products: '设备按产品分布',
  productOnline: '在线 {{online}} / {{devices}}',
  otherProducts: '其他 {{total}} 个产品',
  states: '设备状态',
  offlineLink: '查看全部不在线的设备',
  noDevices: '还没有设备。',

  attention: '需要关注',
  attentionNone: '今日没有需要关注的事项。',
  latest: '最近',

  demonstration: '演示数据。',
  demonstrationText: '这里的设备和数字来自演示设备群，不需要时可用以下命令移除：',
  demonstrationCommand: '移除演示数据的命令',

  emptyTitle: '还没有设备',
  emptyText: '设备接入后，消息与接入的走势显示在这里。',
  openGuide: '五分钟上手',
} as const;
