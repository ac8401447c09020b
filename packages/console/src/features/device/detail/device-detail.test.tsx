import {
  applicationCalls,
  bucketCalls,
  controlCalls,
  deviceCalls,
  Menu,
  modelCalls,
  productCalls,
  recordCalls,
} from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fill, openConsole, recordRequests } from '../../../../test/console.tsx';
import { admin, type Client, client, createUserWithMenus, type LoginAnswer, unique } from '../../../../test/hub.ts';
import { saveSession } from '../../../api/session.ts';

const OFFLINE = 'Device not online, not available';

describe('device page', () => {
  let session: LoginAnswer;
  let blacklister: LoginAnswer;
  let tenancyId: string;
  let operator: Client;
  let productId: string;
  let applicationId: string;

  const createApplication = async () =>
    (await operator.ok(applicationCalls.addApplication, { applicationName: unique('app'), tenancyId })).applicationId;

  const createProduct = async (nodeType: 1 | 2 = 1) => {
    const fields = { categoryId: 'std-lighting', protocolId: 1, classId: 1, tenancyId } as const;
    const product = { productName: unique('prod'), nodeType, ...fields };
    return (await operator.ok(productCalls.addDeviceProduct, product)).productId;
  };

  const registerDevice = async (options: { productId?: string; applicationId?: string } = {}) => {
    const deviceId = unique('dev');
    const deviceName = unique('lamp');
    await operator.ok(deviceCalls.addDevice, { deviceId, deviceName, productId, applicationId, ...options });
    return { deviceId, deviceName, page: `/detail/detailDevice/${deviceId}` };
  };

  beforeAll(async () => {
    operator = await admin();
    ({ session, tenancyId } = await createUserWithMenus([Menu.deviceList, Menu.productList, Menu.applyList]));
    ({ session: blacklister } = await createUserWithMenus([Menu.blackDeviceList], tenancyId));
    applicationId = await createApplication();
    productId = await createProduct();
  });
  beforeEach(() => saveSession(session));

  it('explains that a device has never connected and has reported nothing', async () => {
    const { page, deviceName } = await registerDevice();
    openConsole(page);
    expect(await screen.findByRole('heading', { level: 1, name: deviceName })).toBeTruthy();
    expect(screen.getByText('never online')).toBeTruthy();
    const diagnosis = within(await screen.findByRole('region', { name: 'Why this device is offline' }));
    expect(diagnosis.getByText('The device has never connected')).toBeTruthy();
    expect(diagnosis.getByText(/Write the product key, device ID and secret to the device/)).toBeTruthy();
    expect(await screen.findByText('No data reported yet')).toBeTruthy();
    expect((await screen.findAllByText('Never reported')).length).toBeGreaterThan(1);
    for (const button of screen.getAllByRole('button', { name: /^Set "/ })) {
      expect(button).toHaveProperty('disabled', true);
      expect(button.title).toBe(OFFLINE);
    }
    expect(screen.queryByRole('tab', { name: 'Child devices' })).toBeNull();
  });

  it('shows one cause with one action, and the events in chronological order', async () => {
    const { page, deviceId } = await registerDevice();
    await operator.ok(controlCalls.kickOut, { deviceId, op: 1, until: 2 });
    await operator.ok(controlCalls.markBlack, { idList: [deviceId], op: 1, reason: 'stolen' });
    openConsole(page);
    const region = await screen.findByRole('region', { name: 'Why this device is offline' });
    const diagnosis = within(region);
    expect(diagnosis.getByText('The device is on the blacklist')).toBeTruthy();
    expect(diagnosis.getByText('stolen')).toBeTruthy();
    expect(diagnosis.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Remove from blacklist']);
    expect(screen.queryByRole('alert')).toBeNull();
    const events = within(diagnosis.getByRole('list', { name: 'Events before it went offline' })).getAllByRole(
      'listitem',
    );
    const shown = events.map(({ textContent }) => textContent?.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, '@'));
    expect(shown).toEqual([
      expect.stringMatching(/^@Added/),
      expect.stringMatching(/^@Blacklisted by /),
      expect.stringMatching(/^@Restriction ends/),
    ]);
  });

  it('links a disabled application to the page that enables it', async () => {
    const disabled = await createApplication();
    await operator.ok(applicationCalls.updateEnabledStatus, { applicationId: disabled, enabled: 0 });
    const { page } = await registerDevice({ applicationId: disabled });
    const user = userEvent.setup();
    const { router } = openConsole(page);
    const diagnosis = within(await screen.findByRole('region', { name: 'Why this device is offline' }));
    expect(diagnosis.getByText('The application is disabled')).toBeTruthy();
    await user.click(diagnosis.getByRole('button', { name: 'View application' }));
    await waitFor(() => expect(router.state.location.pathname).toBe(`/add/addApply/${disabled}/2`));
  });

  it('shows the blacklist reason on every tab, and removes the device from the blacklist', async () => {
    const { page, deviceId } = await registerDevice();
    await operator.ok(controlCalls.markBlack, { idList: [deviceId], op: 1, reason: 'stolen' });
    const user = userEvent.setup();
    openConsole(`${page}?tab=connections`);
    const banner = await screen.findByRole('alert');
    expect(banner.textContent).toMatch(/This device is on the blacklist.*Reason: stolen/);
    await user.click(within(banner).getByRole('button'));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Remove from blacklist' }));
    await waitFor(() => expect(screen.queryByText('This device is on the blacklist')).toBeNull());
    expect(await operator.ok(deviceCalls.getDeviceDetails, { deviceId })).toMatchObject({ blacklisted: 0 });
  });

  it('counts down the days of a kick, and releases the device', async () => {
    const { page, deviceId } = await registerDevice();
    await operator.ok(controlCalls.kickOut, { deviceId, op: 1, until: 2 });
    const user = userEvent.setup();
    const { unmount } = openConsole(`${page}?tab=connections`);
    const banner = await screen.findByRole('alert');
    expect(banner.textContent).toMatch(/cannot log in until \d{4}-.*1 d 23 h left/);
    unmount();
    openConsole(page);
    const diagnosis = within(await screen.findByRole('region', { name: 'Why this device is offline' }));
    expect(diagnosis.getByText(/was kicked offline/)).toBeTruthy();
    expect(diagnosis.getByText(/^until \d{4}-.*1 d 23 h left/)).toBeTruthy();
    await user.click(diagnosis.getByRole('button', { name: 'Release' }));
    await waitFor(() => expect(screen.queryByText(/^until /)).toBeNull());
    expect(await operator.ok(deviceCalls.getDeviceDetails, { deviceId })).toMatchObject({ kickedUntil: '' });
  });

  // Spec 4.16
  it('shows every writable or callable function, and why it cannot be sent now', async () => {
    const { page } = await registerDevice();
    const functions = await operator.ok(modelCalls.getDeviceFunctionDefinitionList, { productId });
    openConsole(`${page}?tab=functions`);
    const sendable = functions.filter(
      ({ functionType, functionDefinition }) =>
        functionType === 32 || ('accessMode' in functionDefinition && functionDefinition.accessMode !== 'r'),
    );
    expect(sendable.length).toBeGreaterThan(2);
    for (const { functionName } of sendable) {
      const form = within(await screen.findByRole('form', { name: functionName }));
      expect(form.getByRole('button', { name: /^(Send|Call)$/ })).toHaveProperty('disabled', true);
      expect(form.getByText(OFFLINE)).toBeTruthy();
    }
    expect(await screen.findByText('No commands yet')).toBeTruthy();
  });

  // Spec 2.47, 4.17, 9.19
  it('allows changing application and zone of an offline device, but not its log settings', async () => {
    const { page, deviceId } = await registerDevice();
    const user = userEvent.setup();
    openConsole(`${page}?tab=configuration`);
    expect(await screen.findByRole('switch', { name: 'Real-time push' })).toHaveProperty('disabled', true);
    expect(screen.getByLabelText('Log level')).toHaveProperty('disabled', true);
    expect(screen.getAllByText(OFFLINE)).toHaveLength(2);
    await user.click(screen.getByLabelText('Availability zone'));
    await user.click(await screen.findByTitle('HA area 2'));
    expect(await screen.findByText('Saved')).toBeTruthy();
    expect(await operator.ok(deviceCalls.getDeviceDetails, { deviceId })).toMatchObject({ haZoneId: 2 });
  });

  it('shows a remedy for the latest connection only', async () => {
    const { page, deviceId } = await registerDevice();
    const signed = { signMethod: 'hmacsha256', signature: '0'.repeat(64), timestamp: Date.now() } as const;
    for (const nonce of [unique('n'), unique('n')])
      await client().error(bucketCalls.loginDevice, { productId, deviceId, nonce, ...signed });
    await expect.poll(async () => (await operator.ok(recordCalls.deviceConnectRecord, { deviceId })).total).toBe(2);
    openConsole(`${page}?tab=connections`);
    const timeline = within(await screen.findByRole('list', { name: 'Connections' }));
    const [latest, past] = timeline.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(latest).toMatch(/Wrong signature.*Check productId, deviceId and the secret/);
    expect(past).toMatch(/Wrong signature/);
    expect(past).not.toMatch(/Check productId/);
  });

  it('filters messages by minutes, including the whole last minute', async () => {
    const { page } = await registerDevice();
    const requests = recordRequests();
    openConsole(`${page}?tab=messages&from=2026-11-15%2008:30&to=2026-11-15%2009:05`);
    expect(await screen.findByDisplayValue('2026-11-15 08:30')).toBeTruthy();
    expect(screen.getByDisplayValue('2026-11-15 09:05')).toBeTruthy();
    await waitFor(() => expect(requests.some(({ call }) => call === 'deviceMessageRecord')).toBe(true));
    expect(requests.find(({ call }) => call === 'deviceMessageRecord')?.input).toMatchObject({
      startTime: new Date('2026-11-15T08:30').toISOString(),
      endTime: new Date('2026-11-15T09:06').toISOString(),
    });
  });

  it('shows one primary action, and disruptive actions in the menu', async () => {
    const { page, deviceName } = await registerDevice();
    const user = userEvent.setup();
    openConsole(page);
    await user.click(await screen.findByRole('button', { name: `More actions: ${deviceName}` }));
    for (const name of ['Restart', 'Delete']) {
      expect(await screen.findByRole('menuitem', { name })).toBeTruthy();
      expect(screen.queryByRole('button', { name })).toBeNull();
    }
    expect(screen.getByRole('button', { name: 'Real-time log' }).matches('.ant-btn-primary')).toBe(true);
    expect(screen.getByRole('button', { name: 'Edit' }).matches('.ant-btn-primary')).toBe(false);
  });

  it('edits a device, and rejects an invalid name without a request', async () => {
    const { page, deviceId } = await registerDevice();
    const user = userEvent.setup();
    openConsole(page);
    await user.click(await screen.findByRole('button', { name: 'Edit' }));
    const requests = recordRequests();
    const name = await screen.findByLabelText('Device name');
    await user.clear(name);
    await fill(user, 'Device name', 'no*stars');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(name.getAttribute('aria-invalid')).toBe('true'));
    expect(requests.filter(({ call }) => call === 'updateDevice')).toEqual([]);
    await user.clear(name);
    await fill(user, 'Device name', 'hall-lamp');
    await fill(user, 'MAC', '00:11:22');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'hall-lamp' })).toBeTruthy();
    const edited = await operator.ok(deviceCalls.getDeviceDetails, { deviceId });
    expect(edited).toMatchObject({ deviceName: 'hall-lamp', mac: '00:11:22' });
  });

  it('resets the secret after confirmation and shows it once', async () => {
    const { page, deviceName } = await registerDevice();
    const user = userEvent.setup();
    openConsole(page);
    await user.click(await screen.findByRole('button', { name: `More actions: ${deviceName}` }));
    await user.click(await screen.findByRole('menuitem', { name: 'Reset secret' }));
    const dialog = within(await screen.findByRole('dialog', { name: `Reset the secret of "${deviceName}"?` }));
    await user.click(dialog.getByRole('button', { name: 'Reset secret' }));
    const shown = await screen.findByRole('dialog', { name: 'New device secret' });
    const secret = within(shown).getByText(/^\S{16,}$/).textContent ?? '';
    await user.click(within(shown).getByRole('button', { name: 'I have stored the secret' }));
    await waitFor(() => expect(document.body.textContent).not.toContain(secret));
  });

  it('allows one re-registration after confirmation, and shows its deadline', async () => {
    const { page, deviceId, deviceName } = await registerDevice();
    const user = userEvent.setup();
    openConsole(page);
    await user.click(await screen.findByRole('button', { name: `More actions: ${deviceName}` }));
    await user.click(await screen.findByRole('menuitem', { name: 'Allow re-registration' }));
    const dialog = within(await screen.findByRole('dialog', { name: `Allow "${deviceName}" to register again?` }));
    await user.click(dialog.getByRole('button', { name: 'Allow re-registration' }));
    expect(await screen.findByText(/^One login with the product secret allowed until \d{4}-/)).toBeTruthy();
    const { reregisterUntil } = await operator.ok(deviceCalls.getDeviceDetails, { deviceId });
    expect(Date.parse(reregisterUntil)).toBeGreaterThan(Date.now());
  });

  // Spec 1.7, 2.38, 4.24
  it('shows the child devices of a gateway, and keeps the tab in the URL', async () => {
    const gateway = await registerDevice({ productId: await createProduct(2) });
    const user = userEvent.setup();
    const { router } = openConsole(gateway.page);
    await user.click(await screen.findByRole('tab', { name: 'Child devices' }));
    expect(await screen.findByText('No child devices yet')).toBeTruthy();
    expect(router.state.location.searchStr).toBe('?tab=children');
  });

  it('shows users of other menus the attributes without actions', async () => {
    const { page, deviceName } = await registerDevice();
    saveSession(blacklister);
    openConsole(`${page}?tab=functions`);
    expect(await screen.findByRole('heading', { level: 1, name: deviceName })).toBeTruthy();
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['Overview']);
    expect(screen.getByText('Device information')).toBeTruthy();
    for (const name of ['Edit', 'Real-time log', /^More actions/])
      expect(screen.queryByRole('button', { name })).toBeNull();
  });

  // Spec 8.20
  it('shows that a device of another tenant does not exist', async () => {
    const otherUser = await createUserWithMenus([Menu.deviceList]);
    const { page } = await registerDevice();
    saveSession(otherUser.session);
    openConsole(page);
    expect(await screen.findByText('Device does not exist')).toBeTruthy();
  });

  it('shows that push is off in the real-time log of an offline device', async () => {
    const { deviceId } = await registerDevice();
    openConsole(`/detail/realTimeLog/${deviceId}`);
    expect(await screen.findByText('Real-time push is off')).toBeTruthy();
    // The stream is open, but while push is off it delivers nothing.
    expect(await screen.findByText('Push off')).toBeTruthy();
    expect(screen.queryByText('Live')).toBeNull();
    expect(screen.getByText(OFFLINE)).toBeTruthy();
    expect(screen.getByRole('switch', { name: 'Real-time push' })).toHaveProperty('disabled', true);
  });
});
