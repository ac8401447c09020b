import {
  boolean,
  choice,
  double,
  event,
  happenedAt,
  integer,
  type LibraryCategory,
  list,
  moment,
  object,
  param,
  property,
  service,
  string,
  type Translate,
} from './texts.ts';

export const environmentSensor = (t: Translate): LibraryCategory => ({
  categoryId: 'std-environment-sensor',
  categoryName: t('环境传感器', 'Environment-sensor'),
  description: t('温湿度与空气质量', 'Climate and air quality'),
  functions: [
    property('temperature', t('温度', 'Temperature'), 'r', double(-40, 85, '°C')),
    property('humidity', t('湿度', 'Humidity'), 'r', double(0, 100, '%RH')),
    property('pressure', t('气压', 'Pressure'), 'r', double(300, 1100, 'hPa')),
    property('co2', t('二氧化碳', 'CO2'), 'r', integer(0, 10_000, 'ppm')),
    property('pm25', t('PM2.5', 'PM2.5'), 'r', integer(0, 1000, 'μg/m³')),
    property('illuminance', t('光照度', 'Illuminance'), 'r', integer(0, 200_000, 'lx')),
    property('battery', t('电池电量', 'Battery'), 'r', integer(0, 100, '%')),
    property('reportInterval', t('上报间隔', 'Report interval'), 'rw', integer(10, 86_400, 's')),
    property(
      'thresholds',
      t('告警阈值', 'Thresholds'),
      'rw',
      object(
        param('temperatureHigh', t('温度上限', 'Temperature high'), double(-40, 85, '°C')),
        param('temperatureLow', t('温度下限', 'Temperature low'), double(-40, 85, '°C')),
        param('co2High', t('二氧化碳上限', 'CO2 high'), integer(400, 10_000, 'ppm'), false),
      ),
    ),
    event('outOfRange', t('超出阈值', 'Out of range'), 'alarm', [
      param(
        'quantity',
        t('物理量', 'Quantity'),
        choice(
          ['temperature', t('温度', 'Temperature')],
          ['humidity', t('湿度', 'Humidity')],
          ['co2', t('二氧化碳', 'CO2')],
          ['pm25', 'PM2-5'],
        ),
      ),
      param('measured', t('测量值', 'Measured'), double(-1000, 200_000, '-')),
    ]),
    event('batteryLow', t('电量不足', 'Battery low'), 'call', [
      param('battery', t('电池电量', 'Battery'), integer(0, 100, '%')),
    ]),
  ],
});

export const waterLeak = (t: Translate): LibraryCategory => ({
  categoryId: 'std-water-leak',
  categoryName: t('水浸传感器', 'Water-leak-sensor'),
  description: t('发现漏水并报警', 'Tells of water where there should be none'),
  functions: [
    property('leaking', t('浸水状态', 'Leak'), 'r', boolean(t('浸水', 'Leak'), t('正常', 'Dry'))),
    property('battery', t('电池电量', 'Battery'), 'r', integer(0, 100, '%')),
    property('temperature', t('温度', 'Temperature'), 'r', double(-20, 60, '°C')),
    property('buzzer', t('蜂鸣器', 'Buzzer'), 'rw', boolean(t('开', 'On'), t('关', 'Off'))),
    service('silence', t('消音', 'Silence'), [param('minutes', t('分钟', 'Minutes'), integer(1, 240, 'min'))], []),
    event('leakDetected', t('发现漏水', 'Leak detected'), 'alarm', [
      param('probe', t('探头', 'Probe'), integer(1, 4)),
      happenedAt(t),
    ]),
    event('leakCleared', t('漏水解除', 'Leak cleared'), 'info', [happenedAt(t)]),
    event('batteryLow', t('电量不足', 'Battery low'), 'call', [
      param('battery', t('电池电量', 'Battery'), integer(0, 100, '%')),
    ]),
  ],
});

export const electricityMeter = (t: Translate): LibraryCategory => ({
  categoryId: 'std-electricity-meter',
  categoryName: t('智能电表', 'Electricity-meter'),
  description: t('三相电能计量', 'Three-phase metering'),
  functions: [
    property('totalEnergy', t('总电量', 'Total energy'), 'r', double(0, 100_000_000, 'kWh', 0.01)),
    property(
      'phases',
      t('三相数据', 'Phases'),
      'r',
      list(
        object(
          param('voltage', t('电压', 'Voltage'), double(0, 500, 'V')),
          param('current', t('电流', 'Current'), double(0, 200, 'A', 0.01)),
          param('activePower', t('有功功率', 'Active power'), double(-100_000, 100_000, 'W')),
          param('powerFactor', t('功率因数', 'Power factor'), double(-1, 1, 'pf', 0.01)),
        ),
        3,
      ),
    ),
    property('frequency', t('频率', 'Frequency'), 'r', double(45, 65, 'Hz', 0.01)),
    property(
      'tariff',
      t('当前费率', 'Tariff'),
      'r',
      choice(['peak', t('峰', 'Peak')], ['flat', t('平', 'Flat')], ['valley', t('谷', 'Valley')]),
    ),
    property('relay', t('继电器', 'Relay'), 'rw', boolean(t('合闸', 'Closed'), t('分闸', 'Open'))),
    service(
      'freeze',
      t('冻结电量', 'Freeze'),
      [param('at', t('冻结时间', 'At'), moment(), false)],
      [
        param('totalEnergy', t('总电量', 'Total energy'), double(0, 100_000_000, 'kWh', 0.01)),
        param('frozenAt', t('冻结时间', 'Frozen at'), moment()),
      ],
    ),
    event('overVoltage', t('过压', 'Over-voltage'), 'alarm', [
      param('phase', t('相', 'Phase'), choice(['A', 'A'], ['B', 'B'], ['C', 'C'])),
      param('voltage', t('电压', 'Voltage'), double(0, 1000, 'V')),
    ]),
    event('powerLoss', t('停电', 'Power loss'), 'alarm', [happenedAt(t)]),
  ],
});

export const gateway = (t: Translate): LibraryCategory => ({
  categoryId: 'std-gateway',
  categoryName: t('物联网关', 'IoT-gateway'),
  description: t('为子设备接入网络', 'Brings its children onto the network'),
  functions: [
    property('childCount', t('子设备数', 'Children'), 'r', integer(0, 1000)),
    property('pairing', t('允许入网', 'Pairing'), 'rw', boolean(t('开', 'On'), t('关', 'Off'))),
    property('cpuUsage', t('处理器占用', 'CPU usage'), 'r', integer(0, 100, '%')),
    property('memoryFree', t('剩余内存', 'Free memory'), 'r', integer(0, 1_000_000, 'KB')),
    property('signal', t('信号强度', 'Signal'), 'r', integer(-130, 0, 'dBm')),
    property('uptime', t('运行时长', 'Uptime'), 'r', { type: 'long', min: '0', unit: 's' }),
    property(
      'uplink',
      t('上行网络', 'Uplink'),
      'r',
      choice(['ethernet', t('以太网', 'Ethernet')], ['wifi', 'WIFI'], ['cellular', t('蜂窝', 'Cellular')]),
    ),
    service(
      'permitJoin',
      t('开放入网', 'Permit joining'),
      [param('seconds', t('时长', 'Seconds'), integer(1, 600, 's'))],
      [param('until', t('截止时间', 'Until'), moment())],
    ),
    service(
      'listChildren',
      t('查询子设备', 'List the children'),
      [],
      [param('children', t('子设备', 'Children'), list(string(64), 512))],
    ),
    event('childJoined', t('子设备入网', 'A child joined'), 'info', [
      param('child', t('子设备', 'Child'), string(64)),
      param('kind', t('类型', 'Kind'), string(50), false),
    ]),
    event('uplinkLost', t('上行中断', 'Uplink lost'), 'alarm', [param('reason', t('原因', 'Reason'), string(100))]),
  ],
});
