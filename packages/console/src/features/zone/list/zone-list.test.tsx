import { controlCalls, zoneCalls } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { openConsole, recordRequests } from '../../../../test/console.tsx';
import { createFleet } from '../../../../test/fleet.ts';
import { admin, adminSession } from '../../../../test/hub.ts';
import { createZone, outerNode, ZONES } from '../../../../test/zone.ts';
import { saveSession } from '../../../api/session.ts';

const rowOf = async (name: string) => within((await screen.findByText(name)).closest('tr') as HTMLElement);

describe('zone list', () => {
  const user = userEvent.setup();
  beforeEach(async () => saveSession(await adminSession()));

  // Spec 2.15
  it('shows type, nodes and devices of a zone, with links', async () => {
    const { id, zoneName } = await createZone({ routeKey: 'north/one' });
    openConsole(`${ZONES}?zoneName=${encodeURIComponent(zoneName)}`);
    const row = await rowOf(zoneName);
    expect(row.getByText('Inner nodes')).toBeTruthy();
    expect(row.getByText('north/one')).toBeTruthy();
    expect(row.getByText('mq.plant.example')).toBeTruthy();
    expect(row.getByRole('link', { name: zoneName }).getAttribute('href')).toBe(`/detail/detailAvaild/${id}`);
    expect(row.getByRole('link', { name: 'Edit' }).getAttribute('href')).toBe(`/add/addAvaild?id=${id}`);
  });

  // Spec 4.6
  it('shows before disabling a zone how many devices move to the hub', async () => {
    const { id, zoneName, details } = await createZone();
    const fleet = await createFleet();
    const { deviceId } = await fleet.registerDevice();
    await fleet.operator.ok(controlCalls.configHaArea, { deviceId, haZoneId: id });
    openConsole(`${ZONES}?zoneName=${encodeURIComponent(zoneName)}`);
    await user.click(await screen.findByRole('switch', { name: `Enabled: ${zoneName}` }));
    expect(await screen.findByText(/use the platform itself: 1\./)).toBeTruthy();
    expect(await details()).toMatchObject({ status: 1 });
    await user.click(screen.getByRole('button', { name: 'Disable zone' }));
    await waitFor(async () => expect(await details()).toMatchObject({ status: 0 }));
    const label = `Disabled; 1 device uses the platform itself: 1`;
    const devices = await screen.findByRole('link', { name: label });
    expect(devices.getAttribute('href')).toBe(`/productConfig/deviceList?haZoneId=${id}`);
  });

  // Spec 4.6
  it('asks before enabling a zone', async () => {
    const { id, zoneName, details } = await createZone();
    await (await admin()).ok(zoneCalls.setZoneState, { id, status: 0 });
    openConsole(`${ZONES}?zoneName=${encodeURIComponent(zoneName)}`);
    await user.click(await screen.findByRole('switch', { name: `Enabled: ${zoneName}` }));
    expect(await screen.findAllByText(`Enable the zone "${zoneName}"?`)).toBeTruthy();
    expect(await details()).toMatchObject({ status: 0 });
    await user.click(screen.getByRole('button', { name: 'Enable zone' }));
    await waitFor(async () => expect(await details()).toMatchObject({ status: 1 }));
  });

  it('deletes a zone after a confirmation', async () => {
    const { id, zoneName } = await createZone();
    openConsole(`${ZONES}?zoneName=${encodeURIComponent(zoneName)}`);
    await user.click(await screen.findByRole('button', { name: `More actions: ${zoneName}` }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByText(zoneName)).toBeNull());
    expect(await (await admin()).error(zoneCalls.getZoneDetail, { id })).toMatchObject({ code: 'ZONE_NOT_FOUND' });
  });

  it('does not offer to delete a built-in zone', async () => {
    openConsole(`${ZONES}?zoneName=HA`);
    await user.click(await screen.findByRole('button', { name: 'More actions: HA area 1' }));
    const item = await screen.findByRole('menuitem', { name: 'Delete' });
    expect(item.getAttribute('aria-disabled')).toBe('true');
  });

  // Spec 7.110, 9.15
  it('filters by the selected type', async () => {
    const { zoneName } = await createZone({ zoneType: 2, nodes: [outerNode] });
    const requests = recordRequests();
    openConsole(ZONES);
    await user.click(await screen.findByText('Outer nodes', { selector: '.ant-segmented-item-label' }));
    await waitFor(() =>
      expect(requests.filter(({ call }) => call === 'page').at(-1)?.input).toMatchObject({ zoneType: '2' }),
    );
    expect(await screen.findByText(zoneName)).toBeTruthy();
    expect(screen.queryByText('HA area 1')).toBeNull();
  });
});
