import {
  boolean,
  choice,
  double,
  event,
  happenedAt,
  integer,
  type LibraryCategory,
  list,
  object,
  param,
  property,
  service,
  string,
  type Translate,
} from './texts.ts';

export const lighting = (t: Translate): LibraryCategory => ({
  categoryId: 'std-lighting',
  categoryName: t('照明灯具', 'Lighting'),
  description: t('可调光、调色的灯', 'Lamps with brightness and colour'),
  functions: [
    property('power', t('电源开关', 'Power'), 'rw', boolean(t('开', 'On'), t('关', 'Off'))),
    property('brightness', t('亮度', 'Brightness'), 'rw', integer(1, 100, '%')),
    property('colorTemperature', t('色温', 'Colour temperature'), 'rw', integer(2700, 6500, 'K', 50)),
    property(
      'color',
      t('颜色', 'Colour'),
      'rw',
      object(
        param('red', t('红', 'Red'), integer(0, 255)),
        param('green', t('绿', 'Green'), integer(0, 255)),
        param('blue', t('蓝', 'Blue'), integer(0, 255)),
      ),
    ),
    property(
      'scene',
      t('场景模式', 'Scene'),
      'rw',
      choice(
        ['reading', t('阅读', 'Reading')],
        ['movie', t('观影', 'Movie')],
        ['night', t('夜灯', 'Night')],
        ['work', t('工作', 'Work')],
      ),
    ),
    property('activePower', t('当前功率', 'Active power'), 'r', double(0, 200, 'W')),
    service(
      'fadeTo',
      t('渐变调光', 'Fade to'),
      [
        param('brightness', t('目标亮度', 'Brightness'), integer(0, 100, '%')),
        param('seconds', t('时长', 'Seconds'), integer(0, 600, 's')),
      ],
      [param('accepted', t('已接受', 'Accepted'), boolean(t('是', 'Yes'), t('否', 'No')))],
      t('在给定时间内平滑调到目标亮度', 'Reaches the brightness within the given time'),
    ),
    event('lampFault', t('灯具故障', 'Lamp fault'), 'alarm', [
      param(
        'reason',
        t('原因', 'Reason'),
        choice(
          ['open', t('开路', 'Open-circuit')],
          ['short', t('短路', 'Short-circuit')],
          ['heat', t('过热', 'Overheated')],
        ),
      ),
    ]),
  ],
});

export const socket = (t: Translate): LibraryCategory => ({
  categoryId: 'std-socket',
  categoryName: t('智能插座', 'Smart-socket'),
  description: t('带电量统计的插座', 'Sockets that measure what they deliver'),
  functions: [
    property('power', t('电源开关', 'Power'), 'rw', boolean(t('开', 'On'), t('关', 'Off'))),
    property('childLock', t('童锁', 'Child lock'), 'rw', boolean(t('锁定', 'Locked'), t('未锁', 'Unlocked'))),
    property(
      'powerOnState',
      t('上电状态', 'State after power-on'),
      'rw',
      choice(['on', t('打开', 'On')], ['off', t('关闭', 'Off')], ['last', t('保持', 'As-before')]),
    ),
    property('voltage', t('电压', 'Voltage'), 'r', double(0, 300, 'V')),
    property('current', t('电流', 'Current'), 'r', double(0, 20, 'A', 0.01)),
    property('activePower', t('功率', 'Active power'), 'r', double(0, 4400, 'W')),
    property('energy', t('累计电量', 'Energy'), 'r', double(0, 1_000_000, 'kWh', 0.01)),
    service(
      'countdown',
      t('倒计时开关', 'Countdown'),
      [
        param('minutes', t('分钟', 'Minutes'), integer(1, 1440, 'min')),
        param('power', t('到时状态', 'State then'), boolean(t('开', 'On'), t('关', 'Off'))),
      ],
      [],
    ),
    event('overload', t('过载保护', 'Overload'), 'alarm', [
      param('activePower', t('功率', 'Active power'), double(0, 10_000, 'W')),
    ]),
  ],
});

export const airConditioner = (t: Translate): LibraryCategory => ({
  categoryId: 'std-air-conditioner',
  categoryName: t('空调设备', 'Air-conditioner'),
  description: t('分体与中央空调的室内机', 'Indoor units of split and central systems'),
  functions: [
    property('power', t('电源开关', 'Power'), 'rw', boolean(t('开', 'On'), t('关', 'Off'))),
    property(
      'mode',
      t('运行模式', 'Mode'),
      'rw',
      choice(
        ['auto', t('自动', 'Automatic')],
        ['cool', t('制冷', 'Cooling')],
        ['heat', t('制热', 'Heating')],
        ['dry', t('除湿', 'Drying')],
        ['fan', t('送风', 'Fan-only')],
      ),
    ),
    property('targetTemperature', t('设定温度', 'Target temperature'), 'rw', double(16, 32, '°C', 0.5)),
    property('indoorTemperature', t('室内温度', 'Indoor temperature'), 'r', double(-20, 60, '°C')),
    property(
      'fanSpeed',
      t('风速', 'Fan speed'),
      'rw',
      choice(
        ['auto', t('自动', 'Automatic')],
        ['low', t('低', 'Low')],
        ['medium', t('中', 'Medium')],
        ['high', t('高', 'High')],
      ),
    ),
    property('swing', t('摆风', 'Swing'), 'rw', boolean(t('开', 'On'), t('关', 'Off'))),
    property('filterLife', t('滤网寿命', 'Filter life'), 'r', integer(0, 100, '%')),
    service(
      'resetFilter',
      t('复位滤网', 'Reset the filter'),
      [],
      [param('filterLife', t('滤网寿命', 'Filter life'), integer(0, 100, '%'))],
    ),
    event('fault', t('故障', 'Fault'), 'alarm', [
      param('faultCode', t('故障码', 'Fault code'), string(16)),
      param('text', t('说明', 'Text'), string(100), false),
    ]),
  ],
});

export const doorLock = (t: Translate): LibraryCategory => ({
  categoryId: 'std-door-lock',
  categoryName: t('智能门锁', 'Door-lock'),
  description: t('指纹、密码、卡片开门', 'Opened by finger, code or card'),
  functions: [
    property(
      'lockState',
      t('门锁状态', 'Lock state'),
      'r',
      choice(['locked', t('已上锁', 'Locked')], ['unlocked', t('已开锁', 'Unlocked')], ['jammed', t('卡住', 'Jammed')]),
    ),
    property('doorOpen', t('门状态', 'Door'), 'r', boolean(t('打开', 'Open'), t('关闭', 'Closed'))),
    property('battery', t('电池电量', 'Battery'), 'r', integer(0, 100, '%')),
    property('autoLockDelay', t('自动上锁延时', 'Auto-lock delay'), 'rw', integer(0, 300, 's')),
    service(
      'unlock',
      t('远程开锁', 'Unlock'),
      [param('operator', t('操作人', 'Operator'), string(50))],
      [
        param(
          'lockState',
          t('门锁状态', 'Lock state'),
          choice(['locked', t('已上锁', 'Locked')], ['unlocked', t('已开锁', 'Unlocked')]),
        ),
      ],
    ),
    service(
      'grantCode',
      t('下发临时密码', 'Give a code'),
      [
        param('digits', t('密码', 'Digits'), string(12)),
        param('validMinutes', t('有效分钟', 'Valid minutes'), integer(1, 10_080, 'min')),
      ],
      [],
    ),
    event('opened', t('开门记录', 'Opened'), 'info', [
      param(
        'method',
        t('方式', 'By'),
        choice(
          ['finger', t('指纹', 'Finger')],
          ['code', t('密码', 'Code')],
          ['card', t('卡片', 'Card')],
          ['remote', t('远程', 'Remote')],
          ['key', t('钥匙', 'Key')],
        ),
      ),
      param('member', t('成员', 'Member'), string(50), false),
    ]),
    event('tampered', t('防撬报警', 'Tampered with'), 'alarm', [happenedAt(t)]),
    event('failedTries', t('多次验证失败', 'Several failed tries'), 'alarm', [
      param('tries', t('次数', 'Tries'), integer(1, 100)),
    ]),
  ],
});

export const camera = (t: Translate): LibraryCategory => ({
  categoryId: 'std-camera',
  categoryName: t('网络摄像机', 'Network-camera'),
  description: t('带云台和移动侦测的摄像机', 'Cameras that turn and detect motion'),
  functions: [
    property('recording', t('录像', 'Recording'), 'rw', boolean(t('开', 'On'), t('关', 'Off'))),
    property(
      'nightVision',
      t('夜视', 'Night vision'),
      'rw',
      choice(['auto', t('自动', 'Automatic')], ['on', t('开', 'On')], ['off', t('关', 'Off')]),
    ),
    property('motionDetection', t('移动侦测', 'Motion detection'), 'rw', boolean(t('开', 'On'), t('关', 'Off'))),
    property('motionSensitivity', t('侦测灵敏度', 'Sensitivity'), 'rw', integer(1, 10)),
    property('storageFree', t('剩余存储', 'Free storage'), 'r', integer(0, 2_000_000, 'MB')),
    property(
      'detectionZones',
      t('侦测区域', 'Detection zones'),
      'rw',
      list(
        object(
          param('x', t('左', 'Left'), integer(0, 100, '%')),
          param('y', t('上', 'Top'), integer(0, 100, '%')),
          param('width', t('宽', 'Width'), integer(1, 100, '%')),
          param('height', t('高', 'Height'), integer(1, 100, '%')),
        ),
        8,
      ),
    ),
    service(
      'turn',
      t('云台转动', 'Turn'),
      [
        param('pan', t('水平', 'Pan'), integer(-180, 180, '°')),
        param('tilt', t('俯仰', 'Tilt'), integer(-90, 90, '°')),
      ],
      [],
    ),
    service('snapshot', t('抓拍', 'Snapshot'), [], [param('url', t('图片地址', 'Address'), string(500))]),
    event('motion', t('发现移动', 'Motion'), 'call', [
      param('confidence', t('置信度', 'Confidence'), integer(0, 100, '%')),
      param('url', t('图片地址', 'Address'), string(500), false),
    ]),
    event('storageFull', t('存储已满', 'Storage full'), 'alarm', [happenedAt(t)]),
  ],
});
