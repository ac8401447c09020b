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
import { admin, type Client, client, type LoginAnswer, createUserWithMenus, unique } from '../../../../test/hub.ts';
import { saveSession } from '../../../api/session.ts';

const OFFLINE = 'Device not online, not available';

describe('the page of a device', () => {
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
    const made = { productName: unique('prod'), nodeType, ...fields };
    return (await operator.ok(productCalls.addDeviceProduct, made)).productId;
  };

  const registerDevice = async (more: { productId?: string; applicationId?: string } = {}) => {
    const deviceId = unique('dev');
    const made = { deviceId, deviceName: unique('lamp'), productId, applicationId, ...more };
    await operator.ok(deviceCalls.addDevice, made);
    return { deviceId, deviceName: made.deviceName, page: `/detail/detailDevice/${deviceId}` };
  };

  beforeAll(async () => {
    operator = await admin();
    ({ session, tenancyId } = await createUserWithMenus([Menu.deviceList, Menu.productList, Menu.applyList]));
    ({ session: blacklister } = await createUserWithMenus([Menu.blackDeviceList], tenancyId));
    applicationId = await createApplication();
    productId = await createProduct();
  });
  beforeEach(() => saveSession(session));

  it('says of a device that never came what that means, and that nothing was reported', async () => {
    const { page, deviceName } = await registerDevice();
    openConsole(page);
    expect(await screen.findByRole('heading', { level: 1, name: deviceName })).toBeTruthy();
    expect(screen.getByText('never online')).toBeTruthy();
    const diagnosis = within(await screen.findByRole('region', { name: 'Why this device is offline' }));
    expect(diagnosis.getByText('The device has never connected')).toBeTruthy();
    expect(diagnosis.getByText(/Put product key, device id and secret into the device/)).toBeTruthy();
    expect(await screen.findByText('Nothing reported yet')).toBeTruthy();
    expect((await screen.findAllByText('Never reported')).length).toBeGreaterThan(1);
    for (const button of screen.getAllByRole('button', { name: /^Set "/ })) {
      expect(button).toHaveProperty('disabled', true);
      expect(button.title).toBe(OFFLINE);
    }
    expect(screen.queryByRole('tab', { name: 'Child devices' })).toBeNull();
  });

  it('says one cause with one action, and what happened below it in the order of time', async () => {
    const { page, deviceId } = await registerDevice();
    await operator.ok(controlCalls.kickOut, { deviceId, op: 1, until: 2 });
    await operator.ok(controlCalls.markBlack, { idList: [deviceId], op: 1, reason: 'stolen' });
    openConsole(page);
    const region = await screen.findByRole('region', { name: 'Why this device is offline' });
    const diagnosis = within(region);
    expect(diagnosis.getByText('The device is on the blacklist')).toBeTruthy();
    expect(diagnosis.getByText('stolen')).toBeTruthy();
    expect(diagnosis.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Take off the blacklist']);
    expect(screen.queryByRole('alert')).toBeNull();
    const events = within(diagnosis.getByRole('list', { name: 'How it went offline' })).getAllByRole('listitem');
    const shown = events.map(({ textContent }) => textContent?.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, '@'));
    expect(shown).toEqual([
      expect.stringMatching(/^@Registered/),
      expect.stringMatching(/^@Blacklisted by /),
      expect.stringMatching(/^@Restriction ends/),
    ]);
  });

  it('leads from a disabled application to where it is enabled', async () => {
    const disabled = await createApplication();
    await operator.ok(applicationCalls.updateEnabledStatus, { applicationId: disabled, enabled: 0 });
    const { page } = await registerDevice({ applicationId: disabled });
    const user = userEvent.setup();
    const { router } = openConsole(page);
    const diagnosis = within(await screen.findByRole('region', { name: 'Why this device is offline' }));
    expect(diagnosis.getByText('Its application is disabled')).toBeTruthy();
    await user.click(diagnosis.getByRole('button', { name: 'Enable the application' }));
    await waitFor(() => expect(router.state.location.pathname).toBe(`/add/addApply/${disabled}/2`));
  });

  it('shows the blacklist with its reason on every tab, and takes the device off it', async () => {
    const { page, deviceId } = await registerDevice();
    await operator.ok(controlCalls.markBlack, { idList: [deviceId], op: 1, reason: 'stolen' });
    const user = userEvent.setup();
    openConsole(`${page}?tab=connections`);
    const banner = await screen.findByRole('alert');
    expect(banner.textContent).toMatch(/This device is on the blacklist.*Reason: stolen/);
    await user.click(within(banner).getByRole('button'));
    const asks = within(await screen.findByRole('dialog'));
    await user.click(asks.getByRole('button', { name: 'Take off the blacklist' }));
    await waitFor(() => expect(screen.queryByText('This device is on the blacklist')).toBeNull());
    expect(await operator.ok(deviceCalls.getDeviceDetails, { deviceId })).toMatchObject({ blacklisted: 0 });
  });

  it('counts the days of a kick down, and releases', async () => {
    const { page, deviceId } = await registerDevice();
    await operator.ok(controlCalls.kickOut, { deviceId, op: 1, until: 2 });
    const user = userEvent.setup();
    const { unmount } = openConsole(`${page}?tab=connections`);
    const banner = await screen.findByRole('alert');
    expect(banner.textContent).toMatch(/may not come online before \d{4}-.*1 d 23 h left/);
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
  it('offers every function that can be sent, and says why it cannot be sent now', async () => {
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
    expect(await screen.findByText('No command sent yet')).toBeTruthy();
  });

  // Spec 2.47, 4.17, 9.19
  it('lets application and area be changed while offline, the log not, and says so', async () => {
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

  it('says what to do about the latest connection alone', async () => {
    const { page, deviceId } = await registerDevice();
    for (const nonce of [unique('n'), unique('n')])
      await client().error(bucketCalls.loginDevice, {
        productId,
        deviceId,
        timestamp: Date.now(),
        nonce,
        signMethod: 'hmacsha256',
        signature: '0'.repeat(64),
      });
    const records = () => operator.ok(recordCalls.deviceConnectRecord, { deviceId });
    await expect.poll(async () => (await records()).total).toBe(2);
    openConsole(`${page}?tab=connections`);
    const timeline = within(await screen.findByRole('list', { name: 'Connections' }));
    const [latest, past] = timeline.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(latest).toMatch(/Wrong signature.*Compare productId, deviceId and secret/);
    expect(past).toMatch(/Wrong signature/);
    expect(past).not.toMatch(/Compare productId/);
  });

  it('searches messages by a range of minutes, of which the last is whole', async () => {
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

  it('has one primary action, and what interrupts or deletes a device in its menu', async () => {
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

  it('is edited, and refuses a name that breaks the rule before the hub hears of it', async () => {
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
    expect(await operator.ok(deviceCalls.getDeviceDetails, { deviceId })).toMatchObject({
      deviceName: 'hall-lamp',
      mac: '00:11:22',
    });
  });

  it('makes a new secret after a question, shows it once, and forgets it', async () => {
    const { page, deviceName } = await registerDevice();
    const user = userEvent.setup();
    openConsole(page);
    await user.click(await screen.findByRole('button', { name: `More actions: ${deviceName}` }));
    await user.click(await screen.findByRole('menuitem', { name: 'Reset secret' }));
    const question = within(await screen.findByRole('dialog', { name: `Reset the secret of "${deviceName}"?` }));
    await user.click(question.getByRole('button', { name: 'Reset secret' }));
    const shown = await screen.findByRole('dialog', { name: 'The new device secret' });
    const secret = within(shown).getByText(/^\S{16,}$/).textContent ?? '';
    await user.click(within(shown).getByRole('button', { name: 'I have stored it' }));
    await waitFor(() => expect(document.body.textContent).not.toContain(secret));
  });

  it('allows one re-registration after a question, and shows until when', async () => {
    const { page, deviceId, deviceName } = await registerDevice();
    const user = userEvent.setup();
    openConsole(page);
    await user.click(await screen.findByRole('button', { name: `More actions: ${deviceName}` }));
    await user.click(await screen.findByRole('menuitem', { name: 'Allow re-registration' }));
    const dialog = within(await screen.findByRole('dialog', { name: `Let "${deviceName}" register again?` }));
    await user.click(dialog.getByRole('button', { name: 'Allow re-registration' }));
    expect(await screen.findByText(/^The product's is accepted once, until \d{4}-/)).toBeTruthy();
    const { reregisterUntil } = await operator.ok(deviceCalls.getDeviceDetails, { deviceId });
    expect(Date.parse(reregisterUntil)).toBeGreaterThan(Date.now());
  });

  // Spec 1.7, 2.38, 4.24
  it('shows children of gateways, and tabs in the address', async () => {
    const gateway = await registerDevice({ productId: await createProduct(2) });
    const user = userEvent.setup();
    const { router } = openConsole(gateway.page);
    await user.click(await screen.findByRole('tab', { name: 'Child devices' }));
    expect(await screen.findByText('No child devices yet')).toBeTruthy();
    expect(router.state.location.searchStr).toBe('?tab=children');
  });

  it('gives readers of other menus the facts and nothing to do', async () => {
    const { page, deviceName } = await registerDevice();
    saveSession(blacklister);
    openConsole(`${page}?tab=functions`);
    expect(await screen.findByRole('heading', { level: 1, name: deviceName })).toBeTruthy();
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['Overview']);
    expect(screen.getByText('About this device')).toBeTruthy();
    for (const name of ['Edit', 'Real-time log', /^More actions/])
      expect(screen.queryByRole('button', { name })).toBeNull();
  });

  // Spec 8.20
  it('says that a device does not exist, of one of another tenant too', async () => {
    const stranger = await createUserWithMenus([Menu.deviceList]);
    const { page } = await registerDevice();
    saveSession(stranger.session);
    openConsole(page);
    expect(await screen.findByText('Device does not exist')).toBeTruthy();
  });

  it('waits at the real-time log for a device that is away', async () => {
    const { deviceId } = await registerDevice();
    openConsole(`/detail/realTimeLog/${deviceId}`);
    expect(await screen.findByText('Real-time push is off')).toBeTruthy();
    // The stream is open, and would carry nothing.
    expect(await screen.findByText('Push off')).toBeTruthy();
    expect(screen.queryByText('Live')).toBeNull();
    expect(screen.getByText(OFFLINE)).toBeTruthy();
    expect(screen.getByRole('switch', { name: 'Real-time push' })).toHaveProperty('disabled', true);
  });
});
