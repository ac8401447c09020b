import {
  deviceCalls,
  FIRMWARE_UPLOAD_PATH,
  firmwareCalls,
  type MockDetails,
  otaCalls,
  type UpgradeOrder,
} from '@device-center/contract';
import { createMock, type Mock, type UpgradeState } from '@device-center/virtual-device';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { adminSession, unique } from '../../../../../test/hub.ts';
import { saveSession } from '../../../../api/session.ts';
import { createMockFixture, type MockFixture, openTab } from './test-fixtures.tsx';
import { stepStates } from './upgrade-steps.ts';
import UpgradeTab from './upgrade-tab.tsx';

/** Login, task and download, on a busy machine. */
const PATIENCE = { timeout: 40_000 };

let fixture: MockFixture;
let details: MockDetails;
beforeAll(async () => {
  fixture = await createMockFixture();
});
beforeEach(async () => {
  saveSession(fixture.session);
  details = await fixture.newGateway();
});

const user = userEvent.setup();
const running: Mock[] = [];
afterEach(() => Promise.all(running.splice(0).map((mock) => mock.stop())));

const chooseFault = async (name: string): Promise<void> => {
  await user.click(screen.getByRole('combobox', { name: 'When an upgrade command arrives' }));
  await user.click(await screen.findByTitle(name));
};

const stepOf = (name: string): HTMLElement =>
  screen.getByRole('heading', { level: 4, name }).closest('li') as HTMLElement;

const base64 = (text: string): string => btoa(text);

/** Uploads firmware for the gateway's product as the console does. */
const createFirmwareVersion = async (versionNumber: string): Promise<string> => {
  const { operator } = fixture;
  const { productId, tenancyId } = details;
  const bytes = new TextEncoder().encode(`firmware ${versionNumber}`);
  const metadata = `filename ${base64('lamp.bin')},tenancyId ${base64(tenancyId)}`;
  const headers = { 'Tus-Resumable': '1.0.0', Authorization: (await adminSession()).token };
  const upload = await fetch(`${inject('hubUrl')}${FIRMWARE_UPLOAD_PATH}`, {
    method: 'POST',
    headers: { ...headers, 'Upload-Length': String(bytes.length), 'Upload-Metadata': metadata },
  });
  const uploadUrl = new URL(upload.headers.get('location') ?? '', inject('hubUrl'));
  const type = 'application/offset+octet-stream';
  await fetch(uploadUrl, {
    method: 'PATCH',
    headers: { ...headers, 'Upload-Offset': '0', 'Content-Type': type },
    body: bytes,
  });
  const firmwareUri = `fw/${uploadUrl.pathname.split('/').at(-1)}`;
  await waitFor(async () => {
    expect((await operator.ok(firmwareCalls.getFirmwareFile, { firmwareUri })).state).toBe('ready');
  }, PATIENCE);
  const version = { versionName: unique('version'), versionNumber, productId, firmwareUri, nickName: 'lamp.bin' };
  return (await operator.ok(firmwareCalls.addDeviceOtaVersion, version)).versionId;
};

/** Starts the device and renders its tab. */
const online = async (): Promise<Mock> => {
  const mock = createMock({ hubUrl: inject('hubUrl'), transport: 'ws', details, installMs: 50 });
  running.push(mock);
  openTab(UpgradeTab, { details, mock });
  await mock.device.start();
  const { deviceId } = details;
  await waitFor(async () => {
    expect((await fixture.operator.ok(deviceCalls.getDeviceDetails, { deviceId })).online).toBe(1);
  }, PATIENCE);
  return mock;
};

const upgradeTo = async (versionNumber: string): Promise<void> => {
  const task = { taskName: unique('task'), deviceVersionId: await createFirmwareVersion(versionNumber) };
  await fixture.operator.ok(otaCalls.addDeviceOtaTask, { ...task, deviceListId: [details.deviceId] });
};

describe('the upgrade tab', () => {
  it('shows the current version, no order, and a fault per device', async () => {
    const { mock } = openTab(UpgradeTab, { details });
    expect(screen.getByText('1.0.0')).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'No upgrade command yet' })).toBeTruthy();
    await chooseFault('Fail verification');
    expect(mock.upgradeOf(details.deviceId).fault).toBe('verification');
    expect(screen.getByText(/so that verification fails/)).toBeTruthy();
    const [child] = details.children;
    await user.click(screen.getByRole('combobox', { name: 'Send as' }));
    await user.click(await screen.findByTitle(`${child?.deviceName} · not mounted`));
    expect(mock.upgradeOf(child?.deviceId ?? '').fault).toBe('');
    expect(screen.getByText(/Downloads and verifies the firmware, then restarts/)).toBeTruthy();
  });

  it('shows an upgrade from the order to the new version', async () => {
    await online();
    await upgradeTo('1.1.0');
    await waitFor(() => expect(stepOf('Restart and report the new version').dataset.state).toBe('done'), PATIENCE);
    for (const step of ['Download', 'Verify', 'Install']) expect(stepOf(step).dataset.state).toBe('done');
    expect(within(stepOf('Verify')).getByText(/Signature, product, version/)).toBeTruthy();
    expect(screen.getAllByText('1.1.0').length).toBeGreaterThan(1);
    expect(screen.getByText('14 bytes')).toBeTruthy();
  }, 60_000);

  it('shows the failed step and the reported message', async () => {
    await online();
    await chooseFault('Fail verification');
    await upgradeTo('1.2.0');
    await waitFor(() => expect(stepOf('Verify').dataset.state).toBe('failed'), PATIENCE);
    expect(stepOf('Download').dataset.state).toBe('done');
    expect(stepOf('Install').dataset.state).toBe('idle');
    expect(within(stepOf('Verify')).getByText(/file's SHA-256/)).toBeTruthy();
    expect(screen.getByText('1.0.0')).toBeTruthy();
  }, 60_000);

  it('reports that the device did not start the upgrade', async () => {
    await online();
    await chooseFault('Reject');
    await upgradeTo('1.3.0');
    expect(await screen.findByText(/did not start the upgrade/, {}, PATIENCE)).toBeTruthy();
  }, 60_000);
});

describe('the steps of an upgrade', () => {
  const at = (phase: UpgradeState['phase'], reason?: UpgradeState['reason']) =>
    stepStates({ order: {} as UpgradeOrder, phase, percent: 0, reason }).join(' ');

  it.each([
    ['downloading', undefined, 'working idle idle idle'],
    ['verifying', undefined, 'done working idle idle'],
    ['installing', undefined, 'done done working idle'],
    ['installed', undefined, 'done done done done'],
    ['failed', 3, 'failed idle idle idle'],
    ['failed', 4, 'done failed idle idle'],
    ['failed', 5, 'done done failed idle'],
    ['cancelled', undefined, 'idle idle idle idle'],
  ] as const)('%s with reason %s', (phase, reason, states) => {
    expect(at(phase, reason)).toBe(states);
  });
});
