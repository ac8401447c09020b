import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  fields,
  type MockUpgradeFault,
  mockUpgradeFaults,
  type SignMethod,
  signMethods,
} from '@device-center/contract';

export const faultKinds = ['drops', 'flap', 'badSignature', 'slow'] as const;
export type FaultKind = (typeof faultKinds)[number];
export type Faults = Record<FaultKind, number>;

export type UpgradeFaultKind = Exclude<MockUpgradeFault, ''>;
export const upgradeFaultKinds = mockUpgradeFaults.filter((fault) => fault !== '');
/** Whole numbers are devices, smaller ones a share of them. */
export type UpgradeFaults = Record<UpgradeFaultKind, number>;

export type Order = {
  hub: string;
  product: string;
  secret: string;
  devices: number;
  /** One device that is registered already, with its own secret, instead of a fleet. */
  device: { deviceId: string; secret: string } | null;
  /** Messages a second, of all devices together. */
  rate: number;
  /** Seconds. */
  duration: number;
  prefix: string;
  faults: Faults;
  /** What the devices run when they start. */
  version: string;
  upgradeFaults: UpgradeFaults;
  /** Seconds that an installation takes. */
  install: number;
  sign: SignMethod;
  qos: 0 | 1 | 2;
  quiet: boolean;
  children: number;
  childProduct: string;
  childSecret: string;
  stateFile: string;
};

export const help = `A fleet of simulated devices.

  npm run simulate -- --product KEY --secret PRODUCT_SECRET [options]

The product must let devices register themselves. Values follow its model.

  --hub URL            the hub [http://127.0.0.1:8080]
  --product KEY        the product's key
  --secret SECRET      the product's secret
  --devices N          how many [10]
  --device ID, --device-secret SECRET   one registered device instead of a fleet; no --secret then
  --rate N             messages a second, of all together [1 a second and device]
  --duration SECONDS   how long, from the first device online [60]
  --prefix TEXT        device ids are this and a number [sim-]
  --sign METHOD        hmacsha256 or md5 [hmacsha256]
  --qos N              0, 1 or 2 [1]
  --children N         children of each device; its product must be a gateway's [0]
  --child-product KEY, --child-secret SECRET   the children's product
  --faults LIST        shares from 0 to 1, such as drops=0.01,flap=0.005,badSignature=0.01,slow=0.05
                         drops         after a message the socket is torn down
                         flap          after a message the device leaves and returns three times
                         badSignature  a message is signed wrongly
                         slow          a command is answered seconds late
  --version NUMBER     what the devices run when they start [1.0.0]; told to upgrade, they download, verify and restart
  --install SECONDS    how long an installation takes [1]
  --upgrade-faults LIST   how many devices (or which share of them) fail when told to upgrade, such as
                       download=2,verification=1,install=0.05,silent=1
                         refuse, busy  the order is refused with that code
                         download, verification, install   that step fails
                         silent        it is answered, and nothing follows
                         offline       it is answered, and the device goes away
                         slow          the download takes 20 seconds
  --state FILE         where the devices' own secrets are kept [in the temporary folder, by hub, product and prefix]
  --quiet              only the summary
`;

const DEVICES_MAX = 100_000;
const versions = fields.versionNumber();

export class WrongOrder extends Error {}

const numberOf = (name: string, text: string | undefined, fallback: number, min: number, max: number): number => {
  const value = text === undefined ? fallback : Number(text);
  if (!Number.isFinite(value) || value < min || value > max)
    throw new WrongOrder(`--${name} must be a number from ${min} to ${max}`);
  return value;
};

const wholeOf = (...args: Parameters<typeof numberOf>): number => {
  const value = numberOf(...args);
  if (!Number.isInteger(value)) throw new WrongOrder(`--${args[0]} must be a whole number`);
  return value;
};

const readFaults = (text: string): Faults => {
  const faults: Faults = { drops: 0, flap: 0, badSignature: 0, slow: 0 };
  for (const part of text.split(',').filter(Boolean)) {
    const [name, share] = part.split('=');
    const kind = faultKinds.find((known) => known === name?.trim());
    if (!kind) throw new WrongOrder(`--faults knows ${faultKinds.join(', ')}, not ${name}`);
    faults[kind] = numberOf(`faults ${kind}`, share ?? '', 0, 0, 1);
  }
  return faults;
};

const readUpgradeFaults = (text: string): UpgradeFaults => {
  const faults = Object.fromEntries(upgradeFaultKinds.map((kind) => [kind, 0])) as UpgradeFaults;
  for (const part of text.split(',').filter(Boolean)) {
    const [name, howMany] = part.split('=');
    const kind = upgradeFaultKinds.find((known) => known === name?.trim());
    if (!kind) throw new WrongOrder(`--upgrade-faults knows ${upgradeFaultKinds.join(', ')}, not ${name}`);
    const value = numberOf(`upgrade-faults ${kind}`, howMany || 'nothing', 0, 0, DEVICES_MAX);
    if (value > 1 && !Number.isInteger(value))
      throw new WrongOrder(`--upgrade-faults ${kind}: a whole number of devices, or a share below 1`);
    faults[kind] = value;
  }
  return faults;
};

const fileWord = (text: string): string => text.replace(/[^A-Za-z0-9]+/g, '-');

const words = {
  hub: { type: 'string', default: 'http://127.0.0.1:8080' },
  product: { type: 'string' },
  secret: { type: 'string' },
  devices: { type: 'string' },
  device: { type: 'string' },
  'device-secret': { type: 'string' },
  rate: { type: 'string' },
  duration: { type: 'string' },
  prefix: { type: 'string', default: 'sim-' },
  faults: { type: 'string', default: '' },
  version: { type: 'string', default: '1.0.0' },
  install: { type: 'string' },
  'upgrade-faults': { type: 'string', default: '' },
  sign: { type: 'string', default: 'hmacsha256' },
  qos: { type: 'string' },
  quiet: { type: 'boolean', default: false },
  children: { type: 'string' },
  'child-product': { type: 'string', default: '' },
  'child-secret': { type: 'string', default: '' },
  state: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

const parse = (args: string[]) => {
  try {
    return parseArgs({ args, options: words, strict: true }).values;
  } catch (error) {
    throw new WrongOrder(error instanceof Error ? error.message : String(error));
  }
};

const readVersion = (text: string): string => {
  if (!versions.safeParse(text).success)
    throw new WrongOrder('--version: 1-32 letters or digits, with . - _ + between them');
  return text;
};

const readDevice = (deviceId: string | undefined, secret: string | undefined): Order['device'] => {
  if (deviceId === undefined && secret === undefined) return null;
  if (!deviceId || !secret) throw new WrongOrder('--device and --device-secret belong together');
  return { deviceId, secret };
};

/** The order as given, or nothing where help is wanted. */
export const readOrder = (args: string[]): Order | null => {
  const given = parse(args);
  if (given.help) return null;
  const { hub, product, secret = '', prefix } = given;
  const device = readDevice(given.device, given['device-secret']);
  if (!product || !(secret || device)) throw new WrongOrder('--product and --secret are needed');
  if (!URL.canParse(hub)) throw new WrongOrder('--hub must be an address such as http://127.0.0.1:8080');
  if (!/^[A-Za-z0-9_\-.:]{0,50}$/.test(prefix))
    throw new WrongOrder('--prefix: letters, digits and _ - . :, at most 50');
  const sign = signMethods.find((method) => method === given.sign);
  if (!sign) throw new WrongOrder(`--sign must be one of ${signMethods.join(', ')}`);
  const qos = ([0, 1, 2] as const).find((level) => String(level) === (given.qos ?? '1'));
  if (qos === undefined) throw new WrongOrder('--qos must be 0, 1 or 2');
  const devices = device ? 1 : wholeOf('devices', given.devices, 10, 1, DEVICES_MAX);
  const children = wholeOf('children', given.children, 0, 0, 1_000);
  const [childProduct, childSecret] = [given['child-product'], given['child-secret']];
  if (children > 0 && !(childProduct && childSecret))
    throw new WrongOrder('--children needs --child-product and --child-secret');
  const stateName = ['device-center-fleet', new URL(hub).host, product, prefix].map(fileWord).join('_');
  return {
    hub,
    product,
    secret,
    devices,
    device,
    rate: numberOf('rate', given.rate, devices, 0, 1_000_000),
    duration: numberOf('duration', given.duration, 60, 0.1, 2_000_000),
    prefix,
    faults: readFaults(given.faults),
    version: readVersion(given.version),
    upgradeFaults: readUpgradeFaults(given['upgrade-faults']),
    install: numberOf('install', given.install, 1, 0, 3_600),
    sign,
    qos,
    quiet: given.quiet,
    children,
    childProduct,
    childSecret,
    stateFile: given.state ?? join(tmpdir(), `${stateName}.txt`),
  };
};
