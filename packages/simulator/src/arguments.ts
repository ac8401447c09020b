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
/** A whole number is a number of devices, a fraction a share of them. */
export type UpgradeFaults = Record<UpgradeFaultKind, number>;

export type Options = {
  hub: string;
  product: string;
  secret: string;
  devices: number;
  /** One registered device with its own secret, instead of a fleet. */
  device: { deviceId: string; secret: string } | null;
  /** Messages per second, of all devices together. */
  rate: number;
  /** Seconds. */
  duration: number;
  prefix: string;
  faults: Faults;
  /** Firmware version that the devices report at the start. */
  version: string;
  upgradeFaults: UpgradeFaults;
  /** Duration of an installation, in seconds. */
  install: number;
  sign: SignMethod;
  qos: 0 | 1 | 2;
  quiet: boolean;
  children: number;
  childProduct: string;
  childSecret: string;
  stateFile: string;
};

export const help = `Simulates a fleet of devices.

  npm run simulate -- --product KEY --secret PRODUCT_SECRET [options]

The product must allow self-registration. Values follow its function model.

  --hub URL            the hub [http://127.0.0.1:8080]
  --product KEY        the product's key
  --secret SECRET      the product's secret
  --devices N          number of devices [10]
  --device ID, --device-secret SECRET   one registered device instead of a fleet; without --secret
  --rate N             messages per second, of all devices together [1 per second and device]
  --duration SECONDS   duration after the first device is online [60]
  --prefix TEXT        device IDs are this prefix and a number [sim-]
  --sign METHOD        hmacsha256 or md5 [hmacsha256]
  --qos N              0, 1 or 2 [1]
  --children N         children of each device; the product must be a gateway product [0]
  --child-product KEY, --child-secret SECRET   the children's product
  --faults LIST        probabilities from 0 to 1, such as drops=0.01,flap=0.005,badSignature=0.01,slow=0.05
                         drops         closes the socket after a message
                         flap          reconnects three times after a message
                         badSignature  sends a message with an invalid signature
                         slow          responds to a command seconds late
  --version NUMBER     firmware version at the start [1.0.0]; on an upgrade order, devices download, verify and restart
  --install SECONDS    duration of an installation [1]
  --upgrade-faults LIST   number (or share) of devices whose upgrade fails, such as
                       download=2,verification=1,install=0.05,silent=1
                         refuse, busy  the device rejects the order with that code
                         download, verification, install   that step fails
                         silent        the device accepts the order and does nothing
                         offline       the device accepts the order and goes offline
                         slow          the download takes 20 seconds
  --state FILE         file for the devices' own secrets [in the temporary folder, by hub, product and prefix]
  --quiet              prints only the summary
`;

const DEVICES_MAX = 100_000;
const versionRule = fields.versionNumber();

export class OptionsError extends Error {}

const numberOf = (name: string, text: string | undefined, fallback: number, min: number, max: number): number => {
  const value = text === undefined ? fallback : Number(text);
  if (!Number.isFinite(value) || value < min || value > max)
    throw new OptionsError(`--${name} must be a number from ${min} to ${max}`);
  return value;
};

const wholeOf = (...args: Parameters<typeof numberOf>): number => {
  const value = numberOf(...args);
  if (!Number.isInteger(value)) throw new OptionsError(`--${args[0]} must be a whole number`);
  return value;
};

const readFaults = (text: string): Faults => {
  const faults: Faults = { drops: 0, flap: 0, badSignature: 0, slow: 0 };
  for (const part of text.split(',').filter(Boolean)) {
    const [name, share] = part.split('=');
    const kind = faultKinds.find((known) => known === name?.trim());
    if (!kind) throw new OptionsError(`--faults: expected ${faultKinds.join(', ')}, not ${name}`);
    faults[kind] = numberOf(`faults ${kind}`, share ?? '', 0, 0, 1);
  }
  return faults;
};

const readUpgradeFaults = (text: string): UpgradeFaults => {
  const faults = Object.fromEntries(upgradeFaultKinds.map((kind) => [kind, 0])) as UpgradeFaults;
  for (const part of text.split(',').filter(Boolean)) {
    const [name, amount] = part.split('=');
    const kind = upgradeFaultKinds.find((known) => known === name?.trim());
    if (!kind) throw new OptionsError(`--upgrade-faults: expected ${upgradeFaultKinds.join(', ')}, not ${name}`);
    const value = numberOf(`upgrade-faults ${kind}`, amount || 'nothing', 0, 0, DEVICES_MAX);
    if (value > 1 && !Number.isInteger(value))
      throw new OptionsError(`--upgrade-faults ${kind} must be a whole number of devices, or a share below 1`);
    faults[kind] = value;
  }
  return faults;
};

const toFileName = (text: string): string => text.replace(/[^A-Za-z0-9]+/g, '-');

const optionTypes = {
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
    return parseArgs({ args, options: optionTypes, strict: true }).values;
  } catch (error) {
    throw new OptionsError(error instanceof Error ? error.message : String(error));
  }
};

const readVersion = (text: string): string => {
  if (!versionRule.safeParse(text).success)
    throw new OptionsError('--version must be 1-32 letters or digits, with . - _ + between them');
  return text;
};

const readDevice = (deviceId: string | undefined, secret: string | undefined): Options['device'] => {
  if (deviceId === undefined && secret === undefined) return null;
  if (!deviceId || !secret) throw new OptionsError('--device and --device-secret must be used together');
  return { deviceId, secret };
};

/** Parses the arguments; null for --help. */
export const readOptions = (args: string[]): Options | null => {
  const given = parse(args);
  if (given.help) return null;
  const { hub, product, secret = '', prefix } = given;
  const device = readDevice(given.device, given['device-secret']);
  if (!product || !(secret || device)) throw new OptionsError('--product and --secret are required');
  if (!URL.canParse(hub)) throw new OptionsError('--hub must be an address such as http://127.0.0.1:8080');
  if (!/^[A-Za-z0-9_\-.:]{0,50}$/.test(prefix))
    throw new OptionsError('--prefix must be at most 50 letters, digits and _ - . :');
  const sign = signMethods.find((method) => method === given.sign);
  if (!sign) throw new OptionsError(`--sign must be one of ${signMethods.join(', ')}`);
  const qos = ([0, 1, 2] as const).find((level) => String(level) === (given.qos ?? '1'));
  if (qos === undefined) throw new OptionsError('--qos must be 0, 1 or 2');
  const devices = device ? 1 : wholeOf('devices', given.devices, 10, 1, DEVICES_MAX);
  const children = wholeOf('children', given.children, 0, 0, 1_000);
  const [childProduct, childSecret] = [given['child-product'], given['child-secret']];
  if (children > 0 && !(childProduct && childSecret))
    throw new OptionsError('--children requires --child-product and --child-secret');
  const stateName = ['device-center-fleet', new URL(hub).host, product, prefix].map(toFileName).join('_');
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
