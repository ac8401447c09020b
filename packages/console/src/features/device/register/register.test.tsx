import { deviceCalls, Menu } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { fill, openConsole, problemAt, recordRequests } from '../../../../test/console.tsx';
import { createFleet, type Fleet } from '../../../../test/fleet.ts';
import { createUserWithMenus, unique } from '../../../../test/hub.ts';
import { saveSession } from '../../../api/session.ts';
import { csvOf, escapeFormula } from '../../../ui/csv.ts';

const ADD = '/add/addDevice';

describe('device registration', () => {
  let fleet: Fleet;
  const detailsOf = (deviceId: string) => fleet.operator.ok(deviceCalls.getDeviceDetails, { deviceId });
  const registerButton = () => screen.findByRole('button', { name: 'Add device' });
  /** Records the texts that the browser is asked to save. */
  const recordDownloads = () => {
    const blobs: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      blobs.push(blob as Blob);
      return 'blob:saved';
    });
    // Outside a browser nothing saves files: the click would navigate away.
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    return { last: async () => (await blobs.at(-1)?.text())?.replace('\uFEFF', '').trim().split('\r\n') ?? [] };
  };
  const chooseSheet = async (user: UserEvent, lines: string[]) => {
    const sheet = new File([['deviceId,deviceName,mac,applicationId', ...lines].join('\n')], 'sheet.csv');
    await screen.findByText('Drop a CSV file here');
    const [input] = document.querySelectorAll<HTMLInputElement>('input[type=file]');
    await user.upload(input as HTMLInputElement, sheet);
  };

  beforeAll(async () => {
    // Loading antd takes seconds, which must not count against the first test's timeout.
    await import('./register-page.tsx');
    fleet = await createFleet();
  });
  beforeEach(() => saveSession(fleet.session));
  afterEach(() => vi.restoreAllMocks());

  it('shows the secret once, with commands to connect, and waits for the device', async () => {
    const deviceName = unique('one');
    const user = userEvent.setup();
    const { router } = openConsole(`${ADD}?productId=${fleet.product.productId}`);
    await user.click(await screen.findByRole('button', { name: 'Generate' }));
    const deviceId = screen.getByLabelText<HTMLInputElement>('Device ID').value;
    expect(deviceId).toMatch(/^[a-z0-9]{16}$/);
    await fill(user, 'Device name', deviceName);
    await user.click(await registerButton());

    expect(await screen.findByRole('heading', { name: `${deviceName} added` })).toBeTruthy();
    expect(await detailsOf(deviceId)).toMatchObject({
      deviceName,
      productId: fleet.product.productId,
      applicationId: fleet.application.applicationId,
    });
    const secret = screen.getByText(/^[A-Za-z0-9]{32}$/).textContent ?? '';
    const command = await screen.findByRole('region', { name: 'Device Center simulator' });
    expect(command.textContent).toContain(`--device '${deviceId}' --device-secret ${secret}`);
    await user.click(screen.getByRole('tab', { name: 'Shell (curl + mosquitto)' }));
    const script = await screen.findByRole('region', { name: 'Shell (curl + mosquitto)' });
    expect(script.textContent).toContain(`SECRET='${secret}'`);
    expect(await screen.findByText('Waiting for the device to come online…')).toBeTruthy();

    await user.click(screen.getByRole('button', { name: 'View device' }));
    expect(await screen.findByText('Leave this page?')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Stay' }));
    await user.click(screen.getByRole('checkbox', { name: 'I have stored the secret' }));
    await user.click(screen.getByRole('button', { name: 'View device' }));
    await waitFor(() => expect(router.state.location.pathname).toBe(`/detail/detailDevice/${deviceId}`));
    await waitFor(() => expect(document.body.textContent).not.toContain(secret));
  });

  it('opens the CSV import from the list, with the only product selected', async () => {
    const own = await createFleet();
    saveSession(own.session);
    const user = userEvent.setup();
    openConsole('/productConfig/deviceList');
    const [button] = await screen.findAllByRole('button', { name: 'Import CSV' });
    await user.click(button as HTMLElement);
    await chooseSheet(user, [`${unique('s-')},Pump,,`]);
    expect(await screen.findByRole('button', { name: 'Add 1 device' })).toBeTruthy();
    expect(screen.getByTitle(own.product.productName)).toBeTruthy();
  });

  it('links to product creation if there is no product, but not if a search finds none', async () => {
    const { session } = await createUserWithMenus([Menu.deviceList, Menu.productList]);
    saveSession(session);
    const user = userEvent.setup();
    openConsole(ADD);
    const product = await screen.findByRole('combobox', { name: 'Product' });
    await user.click(product);
    expect(await screen.findByRole('option', { name: 'No products yet.' })).toBeTruthy();
    const link = await screen.findByRole('link', { name: 'Create product' });
    expect([link.getAttribute('href'), link.closest('[role=listbox]')]).toEqual(['/add/addProduct', null]);
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(link);
    await user.type(product, 'lamp');
    expect(await screen.findByRole('option', { name: 'No matches' })).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Create product' })).toBeNull());
  });

  it('shows a taken id and the rules at the id field', async () => {
    const { deviceId } = await fleet.registerDevice();
    const user = userEvent.setup();
    const sent = recordRequests();
    openConsole(`${ADD}?productId=${fleet.product.productId}`);
    await fill(user, 'Device ID', 'not an id');
    await user.click(await registerButton());
    await waitFor(() => expect(problemAt('Device ID')).toBe('1-64 letters, digits or _ - . :'));
    expect(sent.filter(({ call }) => call === 'addDevice')).toEqual([]);
    await user.clear(screen.getByLabelText('Device ID'));
    await fill(user, 'Device ID', deviceId);
    await user.click(await registerButton());
    await user.click(await screen.findByRole('button', { name: 'OK' }));
    expect(problemAt('Device ID')).toBe('This device ID is already in use');
  });

  it('requires an application if the product has no default', async () => {
    const product = await fleet.createProduct({ applicationId: '' });
    const user = userEvent.setup();
    openConsole(`${ADD}?productId=${product.productId}`);
    expect(await screen.findByText('The product has no default application. Select one.')).toBeTruthy();
    await fill(user, 'Device ID', unique('dev-'));
    await user.click(await registerButton());
    await waitFor(() => expect(problemAt('Application')).not.toBe(''));
  });

  it('checks a file, lists rejected rows, registers the rest and offers the secrets once', async () => {
    const taken = await fleet.registerDevice();
    const [first, second] = [unique('sheet-'), unique('sheet-')];
    const downloads = recordDownloads();
    const user = userEvent.setup();
    const { router } = openConsole(`${ADD}?from=file&productId=${fleet.product.productId}`);
    await chooseSheet(user, [`${first},@home,,`, '=bad id,,,', `${taken.deviceId},,,`, `${second},,00:11,`]);
    const report = within(await screen.findByRole('region', { name: 'Check result' }));
    expect(report.getByText('2 valid rows')).toBeTruthy();
    expect(report.getByText('2 rejected rows')).toBeTruthy();
    const rows = report.getAllByRole('row').slice(1);
    expect(
      rows.map((row) =>
        within(row)
          .getAllByRole('cell')
          .slice(0, 3)
          .map((cell) => cell.textContent),
      ),
    ).toEqual([
      ['3', '=bad id', 'deviceId'],
      ['4', taken.deviceId, 'deviceId'],
    ]);
    await user.click(report.getByRole('button', { name: 'Download rejected rows' }));
    const refused = await downloads.last();
    expect(refused[0]).toBe('line,deviceId,field,reason');
    // A formula is escaped to plain text.
    expect(refused[1]).toContain("3,'=bad id,deviceId,");

    await user.click(report.getByRole('button', { name: 'Add 2 devices' }));
    expect(await screen.findByText('4 of 4 processed: 2 added, 2 rejected')).toBeTruthy();
    const result = within(screen.getByRole('region', { name: 'Import finished' }));
    expect(result.getAllByRole('row').map((row) => within(row).queryAllByRole('cell')[0]?.textContent)).toEqual([
      undefined,
      '3',
      '4',
    ]);
    expect(await detailsOf(second)).toMatchObject({ deviceName: second, mac: '00:11' });
    expect((await detailsOf(taken.deviceId)).deviceName).toBe(taken.deviceName);

    void router.navigate({ to: '/productConfig/deviceList' });
    expect(await screen.findByText('Leave this page?')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Stay' }));
    await user.click(screen.getByRole('button', { name: 'Download credentials of 2 devices' }));
    const saved = await downloads.last();
    expect(saved[0]).toBe('deviceId,deviceName,deviceSecret');
    expect(saved[1]).toMatch(new RegExp(`^${first},'@home,[A-Za-z0-9]{32}$`));
    expect(saved).toHaveLength(3);
    void router.navigate({ to: '/productConfig/deviceList' });
    await waitFor(() => expect(router.state.location.pathname).toBe('/productConfig/deviceList'));
  });
});

describe('CSV export', () => {
  it('quotes cells that would break a row', () => {
    expect(csvOf([['a,b', 'say "x"', 'two\nlines', 'plain']])).toBe('\uFEFF"a,b","say ""x""","two\nlines",plain\r\n');
  });
  it.each(['=1+1', '+1', '-1', '@x', '\tx', '\n=1', '＝1', '＠x'])('escapes the formula %j', (cell) =>
    expect(escapeFormula(cell)).toBe(`'${cell}`),
  );
  it('does not escape other text', () => expect(escapeFormula('lamp-1')).toBe('lamp-1'));
});
