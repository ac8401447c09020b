#!/usr/bin/env node
// A device on the SDK of this repository: packages/device-sdk/README.md says what it takes care of.
//
//   HUB_URL=http://127.0.0.1:8080 PRODUCT_ID=… DEVICE_ID=… SECRET=… node scripts/with-node.mjs docs/examples/device.mjs
//
// SECRET is the device's secret, or its product's for the first log-in; SECRET_FILE is where the secret that the hub then
// gives is kept, and is read instead of SECRET once it is there. With --once it ends after the first command.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createDevice } from '@device-center/device-sdk';

const { HUB_URL, PRODUCT_ID, DEVICE_ID, SECRET, SECRET_FILE, SIGN_METHOD = 'hmacsha256' } = process.env;
const secret = SECRET_FILE && existsSync(SECRET_FILE) ? readFileSync(SECRET_FILE, 'utf8') : SECRET;
if (!HUB_URL || !PRODUCT_ID || !DEVICE_ID || !secret) {
  console.error('HUB_URL, PRODUCT_ID, DEVICE_ID and SECRET are needed');
  process.exit(2);
}

const device = createDevice({
  hubUrl: HUB_URL,
  productId: PRODUCT_ID,
  deviceId: DEVICE_ID,
  secret,
  signMethod: SIGN_METHOD,
  onSecret: (given) => SECRET_FILE && writeFileSync(SECRET_FILE, given, { mode: 0o600 }),
  versionNumber: '1.0.0',
});

const state = { power: true };
const obeyed = Promise.withResolvers();
const command = (payload) => {
  console.log(`command: ${JSON.stringify(payload)}`);
  obeyed.resolve();
};

device.onSet((properties) => {
  command({ properties });
  Object.assign(state, properties);
  return properties;
});
device.onGet((signCodes) => Object.fromEntries(signCodes.map((name) => [name, state[name]])));
device.onService('fadeTo', (input) => {
  command({ service: 'fadeTo', input });
  return {};
});
device.on('online', () => console.log('online'));
device.on('offline', ({ reason }) => console.log(`offline: ${reason}`));
device.on('refused', ({ message }) => console.log(`refused: ${message}`));

await device.start();
await device.report(state);
console.log('waiting for a command');

const leave = async () => {
  await device.stop();
  process.exit(0);
};
process.once('SIGINT', leave);
process.once('SIGTERM', leave);
if (process.argv.includes('--once')) {
  await obeyed.promise;
  // What was set is answered before the device is told to stop.
  await device.report(state);
  await leave();
}
