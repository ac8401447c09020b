import { firmwareCalls, Menu, otaCalls } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openConsole, recordRequests } from '../../../../test/console.tsx';
import { createFirmwareVersion } from '../../../../test/firmware.ts';
import { createFleet, type Fleet } from '../../../../test/fleet.ts';
import { createUserWithMenus, type LoginAnswer, unique } from '../../../../test/hub.ts';
import { saveSession } from '../../../api/session.ts';

const LIST = '/OTAUpdate/softwareVersion';
const PAGE_TIMEOUT = { timeout: 30_000 };

describe('firmware version list', () => {
  let fleet: Fleet;
  let session: LoginAnswer;
  const user = userEvent.setup();

  beforeAll(async () => {
    fleet = await createFleet();
    ({ session } = await createUserWithMenus([Menu.softwareVersion, Menu.updateMission], fleet.tenancyId));
  });
  beforeEach(() => saveSession(session));

  const version = (productId: string, versionNumber: string) =>
    createFirmwareVersion({ productId, tenancyId: fleet.tenancyId, versionNumber });
  const rowOf = async (name: string): Promise<HTMLElement> =>
    (await screen.findByText(name, {}, PAGE_TIMEOUT)).closest('tr') as HTMLElement;
  const actionOf = async (name: string, action: string): Promise<void> => {
    await user.click(within(await rowOf(name)).getByRole('button', { name: /^More actions/ }));
    await user.click(await screen.findByRole('menuitem', { name: action }));
  };
  const listNumbers = async (productId: string): Promise<string[]> => {
    const { list } = await fleet.operator.ok(firmwareCalls.queryDeviceOtaVersionList, { productId });
    return list.map(({ versionNumber }) => versionNumber);
  };

  // Spec 2.13
  it('shows file, checksums and devices, and keeps its filters in the URL', async () => {
    const { productId, productName } = await fleet.createProduct();
    await fleet.registerDevice({ productId });
    await fleet.registerDevice({ productId });
    const one = await version(productId, '1.0.0');
    const other = await version((await fleet.createProduct()).productId, '7.0.0');
    const { router } = openConsole(`${LIST}?pageSize=100`);
    const row = within(await rowOf(one.versionName));
    for (const text of ['1.0.0', productName, one.nickName, '0 of 2']) expect(row.getByText(text)).toBeTruthy();
    expect(screen.getByText(other.versionName)).toBeTruthy();
    await user.type(screen.getByRole('searchbox', { name: 'Name or number' }), one.versionName);
    await waitFor(() => expect(router.state.location.searchStr).toContain(`searchValue=${one.versionName}`));
    await waitFor(() => expect(screen.queryByText(other.versionName)).toBeNull());
    expect(screen.getByText(one.versionName)).toBeTruthy();
  });

  it('shows an empty state with a create button', async () => {
    const alone = await createUserWithMenus([Menu.softwareVersion]);
    saveSession(alone.session);
    const { router } = openConsole(LIST);
    expect(await screen.findByText('No firmware versions yet', {}, PAGE_TIMEOUT)).toBeTruthy();
    const [, buttonInEmptyState] = screen.getAllByRole('button', { name: 'Create firmware version' });
    await user.click(buttonInEmptyState as HTMLElement);
    await waitFor(() => expect(router.state.location.pathname).toBe('/add/addOta/0/0'));
  });

  it('deletes one version, and several at once', async () => {
    const { productId } = await fleet.createProduct();
    const [first, second, third] = [
      await version(productId, '1.0.0'),
      await version(productId, '1.0.1'),
      await version(productId, '1.0.2'),
    ];
    openConsole(`${LIST}?productId=${productId}`);
    await actionOf(first.versionName, 'Delete');
    const one = within(await screen.findByRole('dialog'));
    expect(one.getByText(`Delete the version "${first.versionName} 1.0.0"?`)).toBeTruthy();
    await user.click(one.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByText(first.versionName)).toBeNull());
    expect(await listNumbers(productId)).toEqual(['1.0.2', '1.0.1']);
    for (const { versionName, versionNumber } of [second, third])
      await user.click(screen.getByRole('checkbox', { name: `Select ${versionName} ${versionNumber}` }));
    const bar = within(screen.getByRole('toolbar', { name: '2 selected' }));
    await user.click(bar.getByRole('button', { name: 'Delete' }));
    const several = within(await screen.findByRole('dialog'));
    expect(several.getByText('Delete 2 versions?')).toBeTruthy();
    await user.click(several.getByRole('button', { name: 'Delete' }));
    await waitFor(async () => expect(await listNumbers(productId)).toEqual([]));
  });

  it('deletes no version while an unfinished task uses one of them, and links the tasks', async () => {
    const { productId } = await fleet.createProduct();
    const { deviceId } = await fleet.registerDevice({ productId });
    const used = await version(productId, '2.0.0');
    const free = await version(productId, '2.0.1');
    await fleet.operator.ok(otaCalls.addDeviceOtaTask, {
      taskName: unique('task'),
      deviceVersionId: used.versionId,
      deviceListId: [deviceId],
      executeNow: 0,
      taskStart: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const sent = recordRequests();
    openConsole(`${LIST}?productId=${productId}`);
    const row = within(await rowOf(used.versionName));
    expect(row.getByText('1 unfinished')).toBeTruthy();
    expect(row.queryByRole('link', { name: 'Edit' })).toBeNull();
    for (const { versionName, versionNumber } of [used, free])
      await user.click(screen.getByRole('checkbox', { name: `Select ${versionName} ${versionNumber}` }));
    await user.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(`${used.versionName} 2.0.0`)).toBeTruthy();
    const tasks = dialog.getByRole('link', { name: 'View upgrade tasks for version 2.0.0: 1 task' });
    expect(tasks.getAttribute('href')).toBe(`/OTAUpdate/updateMission?versionId=${used.versionId}`);
    expect(dialog.queryByRole('button', { name: 'Delete' })).toBeNull();
    expect(sent.filter(({ call }) => call === 'deleteDeviceOtaVersion')).toEqual([]);
    expect(await listNumbers(productId)).toEqual(['2.0.1', '2.0.0']);
  });

  it('offers an upgrade task to users who may create one', async () => {
    const { productId } = await fleet.createProduct();
    const one = await version(productId, '1.0.0');
    const { router, unmount } = openConsole(`${LIST}?productId=${productId}`);
    await actionOf(one.versionName, 'Create upgrade task');
    await waitFor(() => expect(router.state.location.pathname).toBe('/add/addMission'));
    expect(router.state.location.searchStr).toBe(`?versionId=${one.versionId}`);
    unmount();

    const { session: without } = await createUserWithMenus([Menu.softwareVersion], fleet.tenancyId);
    saveSession(without);
    openConsole(`${LIST}?productId=${productId}`);
    await user.click(within(await rowOf(one.versionName)).getByRole('button', { name: /^More actions/ }));
    expect(await screen.findByRole('menuitem', { name: 'Delete' })).toBeTruthy();
    expect(screen.queryByRole('menuitem', { name: 'Create upgrade task' })).toBeNull();
  });
});

describe('firmware tab of a product', () => {
  const user = userEvent.setup();
  const detail = (productId: string) => `/detail/detailProduct/${productId}?tab=firmware`;

  it('shows only the versions of the product, and uploads for it', async () => {
    const fleet = await createFleet();
    const { tenancyId, product } = fleet;
    const own = await createFirmwareVersion({ productId: product.productId, tenancyId, versionNumber: '4.0.0' });
    const { productId: another } = await fleet.createProduct();
    const otherVersion = await createFirmwareVersion({ productId: another, tenancyId, versionNumber: '5.0.0' });
    const { session } = await createUserWithMenus([Menu.productList, Menu.softwareVersion], tenancyId);
    saveSession(session);
    const { router } = openConsole(detail(product.productId));
    expect(await screen.findByText(own.versionName, {}, PAGE_TIMEOUT)).toBeTruthy();
    expect(screen.queryByText(otherVersion.versionName)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Upload version' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/add/addOta/0/0'));
    expect(await screen.findByText(product.productName)).toBeTruthy();
  });

  it('is hidden from users who may not see firmware', async () => {
    const fleet = await createFleet();
    saveSession(fleet.session);
    openConsole(detail(fleet.product.productId));
    const information = await screen.findByRole('tab', { name: 'Product information' }, PAGE_TIMEOUT);
    expect(information.getAttribute('aria-selected')).toBe('true');
    expect(screen.queryByRole('tab', { name: 'Firmware' })).toBeNull();
  });
});
