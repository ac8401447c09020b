import { boolean, choice, double, event, integer, param, property, service } from '../texts.ts';
import { type Company, type DemoProduct, numbered, type OwnCategory } from './company.ts';
import { coldRoomRuns, gatewayRuns, releases, truckRuns, upgrades } from './harbor-upgrades.ts';

/** A cold chain company: a cold store at the harbour, and trucks. */

const categories: OwnCategory[] = [
  {
    key: 'dock-door',
    categoryName: 'Dock-door',
    description: 'Doors of loading docks',
    functions: [
      property('doorOpen', 'Door', 'r', boolean('Open', 'Closed')),
      property('cycles', 'Cycles', 'r', integer(0, 10_000_000)),
      property('sealOk', 'Seal', 'r', boolean('Tight', 'Leaking')),
      property('battery', 'Battery', 'r', integer(0, 100, '%')),
      event('leftOpen', 'Left open', 'alarm', [param('minutes', 'Minutes', integer(1, 1440, 'min'))]),
    ],
  },
  {
    key: 'tracker',
    categoryName: 'Truck-tracker',
    description: 'Where a refrigerated truck is, and how cold its load',
    functions: [
      property('latitude', 'Latitude', 'r', double(-90, 90, '°', 0.01)),
      property('longitude', 'Longitude', 'r', double(-180, 180, '°', 0.01)),
      property('speed', 'Speed', 'r', double(0, 130, 'km/h')),
      property('cargoTemperature', 'Cargo temperature', 'r', double(-40, 40, '°C')),
      property('mileage', 'Mileage', 'r', double(0, 10_000_000, 'km')),
      property('ignition', 'Ignition', 'r', boolean('On', 'Off')),
      property('reportInterval', 'Report interval', 'rw', integer(5, 3600, 's')),
      service(
        'locate',
        'Locate now',
        [],
        [
          param('latitude', 'Latitude', double(-90, 90, '°', 0.01)),
          param('longitude', 'Longitude', double(-180, 180, '°', 0.01)),
        ],
      ),
      event('geofence', 'Geofence', 'call', [
        param('place', 'Place', choice(['depot', 'Depot'], ['port', 'Port'], ['customer', 'Customer'])),
        param('entered', 'Entered', boolean('In', 'Out')),
      ]),
      event('cargoTooWarm', 'Cargo too warm', 'alarm', [
        param('cargoTemperature', 'Cargo temperature', double(-40, 40, '°C')),
      ]),
    ],
  },
  {
    key: 'pump',
    categoryName: 'Circulation-pump',
    description: 'Pumps of the glycol circuit',
    functions: [
      property('running', 'Running', 'rw', boolean('On', 'Off')),
      property('speedSetting', 'Speed setting', 'rw', integer(20, 100, '%')),
      property('flow', 'Flow', 'r', double(0, 120, 'm³/h')),
      property('pressure', 'Pressure', 'r', double(0, 16, 'bar', 0.01)),
      property('bearingTemperature', 'Bearing temperature', 'r', double(-20, 150, '°C')),
      property('vibration', 'Vibration', 'r', double(0, 50, 'mm/s', 0.01)),
      property('runningHours', 'Running hours', 'r', double(0, 1_000_000, 'h')),
      event('vibrationHigh', 'Vibration high', 'alarm', [param('vibration', 'Vibration', double(0, 50, 'mm/s', 0.01))]),
    ],
  },
];

const halls = ['North', 'South', 'East'];
const hall = (index: number): string => halls[index % halls.length] ?? 'North';

const gateways: DemoProduct = {
  key: 'cold-gateway',
  productName: 'Cold-store-gateway',
  description: 'Connects sensors of the cold rooms and docks to the network',
  category: 'std-gateway',
  nodeType: 2,
  protocolId: 3,
  classId: 3,
  application: 0,
  versions: ['1.6.0', '1.7.2'],
  runs: gatewayRuns,
  hardware: 'CG-10',
  idPrefix: 'HCGW-3',
  names: numbered(6, (number, index) => `Gateway-${hall(index)}-${number}`),
  curves: {
    cpuUsage: { kind: 'working', idle: 12, busy: 28, noise: 4, decimals: 0 },
    memoryFree: { kind: 'daily', low: 96_000, high: 121_000, peakHour: 5, noise: 4_000, decimals: 0 },
    signal: { kind: 'daily', low: -82, high: -70, peakHour: 2, noise: 4, decimals: 0 },
    childCount: { kind: 'timetable', entries: [[0, 7]] },
  },
  defaults: { pairing: false, uptime: '1209600', uplink: 'ethernet' },
  sampleEvents: [{ event: 'uplinkLost', output: { reason: 'switch port reset' } }],
  logs: ['polled 7 children', 'uplink ok, 12 ms', 'clock set from the hub'],
};

const coldRooms: DemoProduct = {
  key: 'cold-room-sensor',
  productName: 'Cold-room-sensor',
  description: 'Air temperature of a cold room, door and defrost',
  category: 'std-environment-sensor',
  functions: [
    property('doorOpen', 'Door', 'r', boolean('Open', 'Closed')),
    property('defrosting', 'Defrost', 'r', boolean('Running', 'Idle')),
    event('doorLeftOpen', 'Door left open', 'alarm', [param('minutes', 'Minutes', integer(1, 1440, 'min'))]),
  ],
  nodeType: 3,
  protocolId: 2,
  classId: 3,
  application: 0,
  versions: ['2.0.1', '2.1.0'],
  runs: coldRoomRuns,
  hardware: 'CR-2-PT100',
  idPrefix: 'HCCR-3',
  names: numbered(30, (number, index) => `Cold-room-${hall(index)}-${number}`),
  behind: 'cold-gateway',
  curves: {
    temperature: { kind: 'daily', low: -21.8, high: -18.4, peakHour: 14, noise: 0.8, decimals: 1 },
    humidity: { kind: 'daily', low: 68, high: 82, peakHour: 14, noise: 3, decimals: 1 },
    doorOpen: { kind: 'occasional', share: 0.1 },
    defrosting: {
      kind: 'timetable',
      entries: [
        [0, false],
        [2, true],
        [2.5, false],
        [14, true],
        [14.5, false],
      ],
    },
    battery: { kind: 'battery', lastsDays: 520 },
  },
  defaults: {
    pressure: 1014.2,
    co2: 480,
    pm25: 4,
    illuminance: 60,
    reportInterval: 60,
    thresholds: { temperatureHigh: -16, temperatureLow: -26 },
  },
  sampleEvents: [
    { event: 'doorLeftOpen', output: { minutes: 9 } },
    { event: 'outOfRange', output: { quantity: 'temperature', measured: -15.2 } },
  ],
  logs: ['sample stored', 'probe resistance 92.4 ohm', 'defrost finished'],
  conditions: {
    0: { kind: 'lively' },
    12: { kind: 'breaksModel' },
    27: { kind: 'offline', days: 4, reason: 'byDevice' },
  },
};

const dockDoors: DemoProduct = {
  key: 'dock-door',
  productName: 'Dock-door-sensor',
  description: 'Whether a loading dock is open, and how often',
  category: 'dock-door',
  nodeType: 3,
  protocolId: 2,
  classId: 3,
  application: 0,
  versions: ['1.0.0', '1.0.4'],
  hardware: 'DD-1',
  idPrefix: 'HCDD-3',
  names: numbered(12, (number) => `Dock-door-${number}`),
  behind: 'cold-gateway',
  curves: {
    doorOpen: { kind: 'occasional', share: 0.35 },
    cycles: { kind: 'meter', start: 8_000, perDay: 46, decimals: 0 },
    battery: { kind: 'battery', lastsDays: 480 },
  },
  defaults: { sealOk: true },
  sampleEvents: [{ event: 'leftOpen', output: { minutes: 14 } }],
  logs: ['door cycle counted', 'magnet ok'],
};

// A loop from the port inland and back, as decimal degrees.
const road = {
  latitude: [51.95, 51.98, 52.02, 52.09, 52.16, 52.23],
  longitude: [4.05, 4.21, 4.47, 4.72, 4.98, 5.18],
};

const trucks: DemoProduct = {
  key: 'truck-tracker',
  productName: 'Truck-tracker',
  description: 'Position and cargo temperature of refrigerated trucks',
  category: 'tracker',
  nodeType: 1,
  protocolId: 4,
  classId: 5,
  application: 1,
  versions: ['0.9.8', '1.0.2', '1.1.0'],
  runs: truckRuns,
  hardware: 'TT-4G',
  idPrefix: 'HCTT-5',
  names: numbered(20, (number) => `Truck-${number}`),
  curves: {
    latitude: { kind: 'route', stops: road.latitude, hours: 9, noise: 0.004 },
    longitude: { kind: 'route', stops: road.longitude, hours: 9, noise: 0.004 },
    speed: { kind: 'daily', low: 34, high: 76, peakHour: 10, noise: 14, decimals: 1 },
    cargoTemperature: { kind: 'daily', low: -20.5, high: -17.2, peakHour: 15, noise: 1.1, decimals: 1 },
    mileage: { kind: 'meter', start: 64_000, perDay: 310, decimals: 1 },
  },
  defaults: { ignition: true, reportInterval: 60 },
  sampleEvents: [
    { event: 'geofence', output: { place: 'depot', entered: true } },
    { event: 'geofence', output: { place: 'customer', entered: false } },
    { event: 'cargoTooWarm', output: { cargoTemperature: -13.4 } },
  ],
  logs: ['fix with 11 satellites', 'network LTE band 20', 'reefer unit in automatic'],
  conditions: {
    0: { kind: 'lively' },
    1: { kind: 'lively' },
    3: { kind: 'blacklisted', days: 6, reason: 'Reported stolen by the depot' },
    14: { kind: 'offline', days: 2, reason: 'lost' },
    15: { kind: 'offline', days: 12, reason: 'keepAlive' },
    18: { kind: 'never' },
    19: { kind: 'never' },
  },
};

const pumps: DemoProduct = {
  key: 'pump',
  productName: 'Glycol-pump',
  description: 'Circulation pumps of the refrigeration plant',
  category: 'pump',
  nodeType: 1,
  protocolId: 3,
  classId: 3,
  application: 0,
  versions: ['3.2.0', '3.2.5'],
  runs: () => '3.2.5',
  hardware: 'GP-7',
  idPrefix: 'HCGP-2',
  names: numbered(8, (number, index) => `Glycol-pump-${hall(index)}-${number}`),
  curves: {
    flow: { kind: 'daily', low: 38, high: 56, peakHour: 15, noise: 3, decimals: 1 },
    pressure: { kind: 'daily', low: 3.1, high: 3.8, peakHour: 15, noise: 0.12, decimals: 2 },
    bearingTemperature: { kind: 'daily', low: 41, high: 52, peakHour: 16, noise: 2.2, decimals: 1 },
    vibration: { kind: 'daily', low: 1.4, high: 2.3, peakHour: 15, noise: 0.3, decimals: 2 },
  },
  defaults: { running: true, speedSetting: 70, runningHours: 11_240 },
  sampleEvents: [{ event: 'vibrationHigh', output: { vibration: 7.4 } }],
  logs: ['inverter ok', 'grease interval 212 h', 'switched to automatic'],
  conditions: { 0: { kind: 'lively' }, 2: { kind: 'wrongSecret', days: 4 } },
};

export const harbor: Company = {
  tenancyId: 'demo-harbor',
  language: 'en_US',
  offsetHours: 1,
  timezone: 'Europe/Amsterdam',
  tenancyName: 'Harbor Cold Chain',
  companyName: 'Harbor Cold Chain Operations',
  contactName: 'Operations',
  // Reserved for fiction by the British regulator.
  phone: '02079460123',
  email: 'desk@harbor.example.com',
  companyAddress: 'Quay 4, Cold Store Road 12',
  applications: ['Cold-store', 'Transport'],
  roleName: 'Operations',
  user: { username: 'harbor-ops', name: 'Operations', email: 'ops@harbor.example.com' },
  categories,
  products: [gateways, coldRooms, dockDoors, trucks, pumps],
  releases,
  upgrades,
};
