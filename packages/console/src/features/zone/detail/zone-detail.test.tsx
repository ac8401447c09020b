import { controlCalls } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { openConsole, recordRequests } from '../../../../test/console.tsx';
import { createFleet } from '../../../../test/fleet.ts';
import { adminSession } from '../../../../test/hub.ts';
import { createZone, innerNode, outerNode, zonePage } from '../../../../test/zone.ts';
import { saveSession } from '../../../api/session.ts';
import { expiryOf } from '../expiry.ts';

const DAY_MS = 86_400_000;

describe('zone page', () => {
  const user = userEvent.setup();
  beforeEach(async () => saveSession(await adminSession()));

  // Spec 2.42
  it('shows how devices connect, and the nodes', async () => {
    const { id, zoneName, details } = await createZone({ nodes: [{ ...innerNode, password: 'Broker-pass1' }] });
    openConsole(zonePage(id));
    expect(await screen.findByRole('heading', { name: zoneName })).toBeTruthy();
    const connect = within(screen.getByRole('region', { name: 'How devices connect' }));
    const { topics, deviceAddress } = await details();
    expect(connect.getByText('GET /api/bucket/getConnectBucket')).toBeTruthy();
    expect(deviceAddress).toMatch(/^mqtts?:\/\/[^/]+:\d+$/);
    expect(connect.getByText(deviceAddress)).toBeTruthy();
    expect(connect.getByText(topics.up)).toBeTruthy();
    expect(connect.getByText(topics.down)).toBeTruthy();
    const node = within(screen.getByRole('region', { name: 'Node 1' }));
    expect(node.getByText('broker.invalid')).toBeTruthy();
    expect(node.getByText('1883')).toBeTruthy();
    expect(node.getByText('Saved')).toBeTruthy();
  });

  // Spec 3.145
  it('uses the labels of the form, and shows a missing certificate', async () => {
    const { id } = await createZone();
    const { unmount } = openConsole(zonePage(id));
    const node = within(await screen.findByRole('region', { name: 'Node 1' }));
    const labels = node.getAllByRole('term').map(({ textContent }) => textContent ?? '');
    expect(labels).toEqual([
      'Connection address',
      'Port',
      'Service type',
      'TLS',
      'Account',
      'Password',
      'SSL certificate',
    ]);
    expect(node.getAllByRole('definition').at(-1)?.textContent).toBe('Not set');
    const zone = screen.getAllByRole('term').map(({ textContent }) => textContent ?? '');
    expect(zone).toEqual(expect.arrayContaining(['Address', 'Route key', 'Sync models automatically']));
    unmount();
    openConsole(`/add/addAvaild?id=${id}`);
    const form = within(await screen.findByRole('group', { name: 'Node 1' }));
    for (const label of labels) expect(form.getAllByText(label).length, label).toBeGreaterThan(0);
    for (const label of ['Address', 'Route key', 'Sync models automatically'])
      expect(screen.getAllByText(label).length, label).toBeGreaterThan(0);
  });

  // Spec 3.146
  it('shows the external address of an outer node, and no devices', async () => {
    const { id } = await createZone({ zoneType: 2, nodes: [outerNode] });
    openConsole(zonePage(id));
    expect(await screen.findByText(/^Outer nodes are other platforms/)).toBeTruthy();
    const node = within(screen.getByRole('region', { name: 'Node 1' }));
    const values = node
      .getAllByRole('term')
      .map(({ textContent, nextElementSibling }) => [textContent, nextElementSibling?.textContent]);
    expect(values).toContainEqual(['External address', 'https://other.invalid']);
    expect(screen.queryByRole('button', { name: 'Move devices now' })).toBeNull();
  });

  it('tests a node with the stored values', async () => {
    const { id } = await createZone();
    openConsole(zonePage(id));
    await user.click(await screen.findByRole('button', { name: 'Test connection of node 1' }));
    const node = within(screen.getByRole('region', { name: 'Node 1' }));
    const steps = within(await node.findByRole('list', { name: 'Steps of the test' }));
    expect(steps.getByText('Resolve address')).toBeTruthy();
    expect(within(node.getByRole('status')).getByText(/Host name broker\.invalid not found/)).toBeTruthy();
  });

  it('moves devices after a confirmation', async () => {
    const { id, zoneName } = await createZone();
    const fleet = await createFleet();
    const { deviceId } = await fleet.registerDevice();
    await fleet.operator.ok(controlCalls.configHaArea, { deviceId, haZoneId: id });
    const requests = recordRequests();
    openConsole(zonePage(id));
    await user.click(await screen.findByRole('button', { name: 'Move devices now' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getAllByText(`Move the devices of "${zoneName}" now?`)).toBeTruthy();
    expect(requests.some(({ call }) => call === 'move')).toBe(false);
    await user.click(dialog.getByRole('button', { name: 'Move devices now' }));
    expect(await screen.findByText('All online devices are connected in their zone')).toBeTruthy();
    await waitFor(() => expect(requests.find(({ call }) => call === 'move')?.input).toEqual({ id: String(id) }));
  });

  it('reports a missing zone', async () => {
    openConsole('/detail/detailAvaild/99999999');
    expect((await screen.findAllByText('Availability zone does not exist')).length).toBeGreaterThan(0);
  });
});

describe('expiryOf', () => {
  const now = Date.parse('2026-11-16T00:00:00Z');
  const certificate = (from: number, to: number) => ({
    validFrom: new Date(now + from * DAY_MS).toISOString(),
    validTo: new Date(now + to * DAY_MS).toISOString(),
  });

  it('warns thirty days before the certificate expires', () => {
    expect(expiryOf(certificate(-10, 31), now)).toEqual({ kind: 'good' });
    expect(expiryOf(certificate(-10, 30), now)).toEqual({ kind: 'soon', days: 30 });
    expect(expiryOf(certificate(-10, 0), now)).toEqual({ kind: 'over' });
    expect(expiryOf(certificate(1, 400), now)).toEqual({ kind: 'notYet' });
  });
});
