import { zoneCalls } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { fill, openConsole, problemAt, problemOf } from '../../../../test/console.tsx';
import { admin, adminSession, createTenant, unique } from '../../../../test/hub.ts';
import { ADD_ZONE, createZone, innerNode, PEM, ZONES } from '../../../../test/zone.ts';
import { saveSession } from '../../../api/session.ts';

const REQUIRED = 'The input cannot be empty, please re-enter';
const PASSWORD = 'Broker-pass1';

const node = async (number: number) => within(await screen.findByRole('group', { name: `Node ${number}` }));

describe('zone form', () => {
  const user = userEvent.setup({ applyAccept: false });
  beforeEach(async () => saveSession(await adminSession()));

  const submit = (name: string) => user.click(screen.getByRole('button', { name }));
  const write = async (field: HTMLElement, value: string) => {
    await user.clear(field);
    await user.click(field);
    await user.paste(value);
  };
  const fillZone = async (zoneName: string) => {
    await fill(user, 'Zone name', zoneName);
    await fill(user, 'Address', 'mq.plant.example');
  };
  const confirm = async () => user.click(await screen.findByRole('button', { name: 'OK' }));
  const fetchZone = async (zoneName: string) => {
    const operator = await admin();
    const { list } = await operator.ok(zoneCalls.queryZoneList, { zoneName });
    return operator.ok(zoneCalls.getZoneDetail, { id: list[0]?.id ?? 0 });
  };

  // Spec 5.36, 5.38, 5.40-5.44, 5.47, 5.48, 5.50
  it('shows validation errors at their fields', async () => {
    openConsole(ADD_ZONE);
    const row = await node(1);
    await user.clear(row.getByLabelText('Port'));
    await submit('Submit');
    await waitFor(() => expect(problemAt('Zone name')).toBe(REQUIRED));
    expect(problemAt('Address')).toBe(REQUIRED);
    expect(problemAt('Route key')).toBe(REQUIRED);
    expect(problemOf(row.getByLabelText('Connection address'))).toBe(REQUIRED);
    expect(problemOf(row.getByLabelText('Port'))).toBe(REQUIRED);
    await write(row.getByLabelText('Port'), '65536');
    await write(row.getByLabelText('Connection address'), 'bröker');
    await write(row.getByLabelText('Account'), '账号');
    await write(row.getByLabelText('Password'), '密码密码密码密码');
    await waitFor(() => expect(problemOf(row.getByLabelText('Port'))).toBe('Enter a port number from 0 to 65535'));
    await waitFor(() =>
      expect(problemOf(row.getByLabelText('Connection address'))).toBe('Incorrect content input, please re-enter'),
    );
    const account = 'The account name is entered incorrectly, please re-enter';
    await waitFor(() => expect(problemOf(row.getByLabelText('Account'))).toBe(account));
    await waitFor(() => expect(problemOf(row.getByLabelText('Password'))).toBe(account));
    await write(row.getByLabelText('Password'), 'short');
    await waitFor(() =>
      expect(problemOf(row.getByLabelText('Password'))).toBe('8-20 characters, no Chinese characters'),
    );
  });

  // Spec 5.51
  it('requires one node, and adds, moves and removes others', async () => {
    openConsole(ADD_ZONE);
    await node(1);
    expect(screen.getByRole('button', { name: 'Remove node 1' })).toHaveProperty('disabled', true);
    expect(screen.getByText('At least one node is required')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Add node' }));
    await write((await node(1)).getByLabelText('Connection address'), 'first.example');
    await write((await node(2)).getByLabelText('Connection address'), 'second.example');
    await user.click(screen.getByRole('button', { name: 'Move node 2 up' }));
    expect((await node(1)).getByLabelText('Connection address')).toHaveProperty('value', 'second.example');
    await user.click(screen.getByRole('button', { name: 'Remove node 1' }));
    await waitFor(() => expect(screen.queryByRole('group', { name: 'Node 2' })).toBeNull());
    expect((await node(1)).getByLabelText('Connection address')).toHaveProperty('value', 'first.example');
  });

  it('sends the selected tenants, and shows them when editing', async () => {
    const { tenancyId, tenancyName } = await createTenant();
    const zoneName = unique('tenants ');
    openConsole(ADD_ZONE);
    await fillZone(zoneName);
    await write((await node(1)).getByLabelText('Connection address'), 'broker.invalid');
    await user.click(screen.getByRole('combobox', { name: 'Tenants to synchronise' }));
    await user.paste(tenancyName);
    await user.click(await screen.findByTitle(tenancyName));
    await submit('Submit');
    await confirm();
    expect(await screen.findByText('Synchronised tenants')).toBeTruthy();
    expect(screen.getByText(tenancyName)).toBeTruthy();
    const details = await fetchZone(zoneName);
    expect(details).toMatchObject({ syncAll: 0, syncTenancies: [{ tenancyId, tenancyName }] });

    await user.click(screen.getByRole('button', { name: 'Edit' }));
    expect(await screen.findByTitle(tenancyName)).toBeTruthy();
    await user.click(screen.getByRole('switch', { name: 'Synchronise all tenants' }));
    await waitFor(() => expect(screen.queryByRole('combobox', { name: 'Tenants to synchronise' })).toBeNull());
    await submit('Save');
    await confirm();
    await waitFor(async () => expect((await fetchZone(zoneName)).syncAll).toBe(1));
  });

  it('suggests the route key from the name and the port from service and TLS', async () => {
    openConsole(ADD_ZONE);
    await fill(user, 'Zone name', '华东 Plant 7');
    expect(screen.getByLabelText('Route key')).toHaveProperty('value', 'plant-7');
    const row = await node(1);
    expect(row.getByLabelText('Port')).toHaveProperty('value', '1883');
    await user.click(row.getByLabelText('TLS'));
    await waitFor(() => expect(row.getByLabelText('Port')).toHaveProperty('value', '8883'));
    await user.click(row.getByLabelText('HTTP'));
    await waitFor(() => expect(row.getByLabelText('Port')).toHaveProperty('value', '443'));
    await write(row.getByLabelText('Port'), '9443');
    await user.click(row.getByLabelText('TLS'));
    expect(row.getByLabelText('Port')).toHaveProperty('value', '9443');
  });

  // Spec 2.34, 3.144
  it('creates a zone with a node, password and certificate, and opens it', async () => {
    const { router } = openConsole(ADD_ZONE);
    const zoneName = unique('plant ');
    await fillZone(zoneName);
    const row = await node(1);
    await write(row.getByLabelText('Connection address'), 'broker.invalid');
    await write(row.getByLabelText('Account'), 'hub');
    await write(row.getByLabelText('Password'), PASSWORD);
    await user.upload(row.getByLabelText('Choose file', { selector: 'input' }), new File([PEM], 'plant-ca.pem'));
    expect(await row.findByText(/plant-ca\.pem/)).toBeTruthy();
    await submit('Submit');
    await confirm();
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/detail\/detailAvaild\/\d+$/));
    expect(await fetchZone(zoneName)).toMatchObject({
      zoneType: 1,
      status: 1,
      isSyncModel: 0,
      address: 'mq.plant.example',
      nodes: [
        {
          hostName: 'broker.invalid',
          port: 1883,
          serverType: 1,
          username: 'hub',
          hasPassword: 1,
          certificate: { fileName: 'plant-ca.pem', use: 'trust' },
        },
      ],
    });
  });

  // Spec 4.7
  it('clears nodes of the other type after a confirmation', async () => {
    openConsole(ADD_ZONE);
    const row = await node(1);
    await write(row.getByLabelText('Connection address'), 'broker.example');
    await user.click(screen.getByLabelText('Outer nodes'));
    expect(await screen.findByText('Switching the node type clears the configured nodes.')).toBeTruthy();
    expect(row.getByLabelText('Connection address')).toHaveProperty('value', 'broker.example');
    await user.click(screen.getByRole('button', { name: 'Clear nodes and switch' }));
    expect((await node(1)).getByLabelText('External address')).toHaveProperty('value', '');
    expect((await node(1)).queryByLabelText('Connection address')).toBeNull();
    // The nodes are empty now, so no confirmation is needed.
    await user.click(screen.getByLabelText('Inner nodes'));
    expect((await node(1)).getByLabelText('Connection address')).toHaveProperty('value', '');
  });

  // Spec 1.14, 4.9, 5.45, 5.46, 9.16
  it('validates an outer node and stores its API key', async () => {
    openConsole(ADD_ZONE);
    const zoneName = unique('other ');
    await fillZone(zoneName);
    await user.click(screen.getByLabelText('Outer nodes'));
    const row = await node(1);
    await write(row.getByLabelText('External address'), 'https://other.invalid');
    await write(row.getByLabelText('API key'), 'not-a-key');
    await submit('Submit');
    await waitFor(() => expect(problemOf(row.getByLabelText('External zone ID'))).toBe(REQUIRED));
    expect(problemOf(row.getByLabelText('API key'))).toBe('API keys start with dck_');
    await write(row.getByLabelText('External zone ID'), '7');
    await write(row.getByLabelText('API key'), `dck_${'k'.repeat(40)}`);
    await submit('Submit');
    await confirm();
    expect(await fetchZone(zoneName)).toMatchObject({
      zoneType: 2,
      nodes: [{ bucketUrl: 'https://other.invalid', bucketZoneId: 7, hasApiKey: 1 }],
    });
  });

  it('saves a built-in zone without nodes and address', async () => {
    const operator = await admin();
    const BUILT_IN = 2;
    const details = () => operator.ok(zoneCalls.getZoneDetail, { id: BUILT_IN });
    const { isSyncModel: before } = await details();
    openConsole(`${ADD_ZONE}?id=${BUILT_IN}`);
    expect(await screen.findByText(/Without nodes, the platform itself serves this zone/)).toBeTruthy();
    expect(screen.queryByRole('group', { name: 'Node 1' })).toBeNull();
    // Do not change the name, because other tests use it.
    await user.click(screen.getByLabelText('Sync models automatically'));
    // A node can be added and removed again.
    await user.click(screen.getByRole('button', { name: 'Add node' }));
    await node(1);
    await submit('Save');
    await waitFor(() => expect(problemAt('Address')).toBe(REQUIRED));
    await user.click(screen.getByRole('button', { name: 'Remove node 1' }));
    await waitFor(() => expect(screen.queryByRole('group', { name: 'Node 1' })).toBeNull());
    await submit('Save');
    await confirm();
    expect(await details()).toMatchObject({ isSyncModel: 1 - before, address: '', nodes: [] });
  });

  it('keeps a stored password if the field is empty', async () => {
    const { id, zoneName, details } = await createZone({ nodes: [{ ...innerNode, password: PASSWORD }] });
    openConsole(`${ADD_ZONE}?id=${id}`);
    expect(await screen.findByLabelText('Zone name')).toHaveProperty('value', zoneName);
    expect((await node(1)).getByText(/Saved. Leave empty to keep it/)).toBeTruthy();
    await write((await node(1)).getByLabelText('Account'), 'other');
    await submit('Save');
    await confirm();
    expect(await details()).toMatchObject({ nodes: [{ username: 'other', hasPassword: 1 }] });
  });

  it('deletes a stored password on request', async () => {
    const { id, details } = await createZone({ nodes: [{ ...innerNode, password: PASSWORD }] });
    openConsole(`${ADD_ZONE}?id=${id}`);
    await user.click(await screen.findByRole('button', { name: 'Clear saved value: password of node 1' }));
    expect(await screen.findByText('Cleared when you save.')).toBeTruthy();
    await submit('Save');
    await confirm();
    expect(await details()).toMatchObject({ nodes: [{ hasPassword: 0 }] });
  });

  // Spec 5.52
  it("accepts only certificate files, and shows the hub's error at the row", async () => {
    openConsole(ADD_ZONE);
    await fillZone(unique('plant '));
    await user.click(screen.getByRole('button', { name: 'Add node' }));
    await write((await node(1)).getByLabelText('Connection address'), 'first.invalid');
    const row = await node(2);
    await write(row.getByLabelText('Connection address'), 'second.invalid');
    const choose = (file: File) => user.upload(row.getByLabelText('Choose file', { selector: 'input' }), file);
    await choose(new File(['x'], 'notes.txt'));
    expect(await row.findByText('The certificate must be a CER, CRT, PEM or P12 file')).toBeTruthy();
    await user.click(row.getByRole('button', { name: 'Remove selected file' }));
    await choose(new File(['no certificate'], 'broken.pem'));
    await submit('Submit');
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'OK' }));
    expect(await row.findByText(/^The certificate cannot be parsed/)).toBeTruthy();
    expect((await node(1)).queryByText(/^The certificate cannot be parsed/)).toBeNull();
  });

  it('shows at the name that it is already used', async () => {
    const { zoneName } = await createZone();
    openConsole(ADD_ZONE);
    await fillZone(zoneName);
    await write((await node(1)).getByLabelText('Connection address'), 'broker.invalid');
    await submit('Submit');
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'OK' }));
    await waitFor(() => expect(problemAt('Zone name')).toBe('A zone with this name already exists'));
  });

  it('tests a node and shows the failed step', async () => {
    openConsole(ADD_ZONE);
    const row = await node(1);
    await user.click(row.getByRole('button', { name: 'Test connection of node 1' }));
    await waitFor(() => expect(problemOf(row.getByLabelText('Connection address'))).toBe(REQUIRED));
    await write(row.getByLabelText('Connection address'), '127.0.0.1');
    await user.click(row.getByRole('button', { name: 'Test connection of node 1' }));
    expect(await row.findByText(/^Access to this address is not allowed/)).toBeTruthy();
    expect(within(row.getByRole('list', { name: 'Steps of the test' })).getByText('Resolve address')).toBeTruthy();
  });

  it('asks before discarding typed values', async () => {
    const { router } = openConsole(ADD_ZONE);
    await write((await node(1)).getByLabelText('Connection address'), 'broker.example');
    void router.navigate({ to: ZONES });
    expect(await screen.findByText('Unsaved changes will be lost.')).toBeTruthy();
  });
});
