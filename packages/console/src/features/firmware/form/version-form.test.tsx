import { firmwareCalls, Menu, otaCalls } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fill, openConsole, problemAt } from '../../../../test/console.tsx';
import { createFirmwareVersion, uploadFirmware } from '../../../../test/firmware.ts';
import { type Fleet, createFleet } from '../../../../test/fleet.ts';
import { type LoginAnswer, createUserWithMenus, unique } from '../../../../test/hub.ts';
import { saveSession } from '../../../api/session.ts';

const PATIENCE = { timeout: 30_000 };
const CREATE = '/add/addOta/0/0';

const fileOf = (contents: string, name = 'lamp.bin'): File => new File([contents], name, { lastModified: 1_700_000 });
const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
const sha256Of = async (contents: string): Promise<string> =>
  hexOf(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(contents)));
const remembered = (): string[] => Object.keys({ ...localStorage }).filter((key) => key.startsWith('tus::'));

describe('the form of a firmware version', () => {
  let fleet: Fleet;
  let session: LoginAnswer;
  const user = userEvent.setup({ applyAccept: false });

  beforeAll(async () => {
    fleet = await createFleet();
    ({ session } = await createUserWithMenus([Menu.softwareVersion, Menu.updateMission], fleet.tenancyId));
  });
  beforeEach(() => saveSession(session));

  const choose = async (file: File): Promise<void> => {
    await user.upload(await screen.findByLabelText('Choose a file', { selector: 'input' }), file);
  };
  const submit = (name = 'Submit') => user.click(screen.getByRole('button', { name }));
  const stored = (versionId: string) => fleet.operator.ok(firmwareCalls.getDeviceOtaVersionDetails, { versionId });

  // Spec 2.32, 4.52, 8.15
  it('uploads a file, waits for its check, and makes a version of it', async () => {
    const { productId, productName } = await fleet.createProduct();
    await createFirmwareVersion({ productId, tenancyId: fleet.tenancyId, versionNumber: '1.2.9' });
    const contents = unique('firmware ');
    const { router } = openConsole(`${CREATE}?productId=${productId}`);
    expect(await screen.findByText(productName, {}, PATIENCE)).toBeTruthy();
    await submit();
    await waitFor(() => expect(screen.getByText('Firmware not yet uploaded')).toBeTruthy());

    await fill(user, 'Version name', 'Winter');
    await user.click(await screen.findByRole('button', { name: 'Use 1.2.10' }));
    await choose(fileOf(contents, 'winter.bin'));
    expect(await screen.findByText('Uploaded and checked', {}, PATIENCE)).toBeTruthy();
    await waitFor(() => expect(screen.queryByText('Firmware not yet uploaded')).toBeNull());
    expect(screen.getByText(await sha256Of(contents))).toBeTruthy();
    expect(remembered()).toHaveLength(1);
    await submit();
    await user.click(await screen.findByRole('button', { name: 'OK' }));

    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/add\/addOta\/\w+\/2$/));
    const versionId = router.state.location.pathname.split('/')[3] ?? '';
    expect(await stored(versionId)).toMatchObject({
      versionName: 'Winter',
      versionNumber: '1.2.10',
      nickName: 'winter.bin',
      size: contents.length,
    });
    expect(await screen.findByRole('heading', { name: 'Winter' })).toBeTruthy();
    await waitFor(() => expect(remembered()).toEqual([]));
  });

  it('begins with the only product, fills in what the file is called, and leads on to its rollout', async () => {
    const own = await createFleet();
    const { session: maker } = await createUserWithMenus(
      [Menu.softwareVersion, Menu.updateMission, Menu.productList],
      own.tenancyId,
    );
    saveSession(maker);
    const { productName } = own.product;
    const { router } = openConsole(CREATE);
    expect(await screen.findByText(productName, {}, PATIENCE)).toBeTruthy();
    await choose(fileOf(unique('firmware '), 'lamp-2.0.0.bin'));
    expect(await screen.findByText('Uploaded and checked', {}, PATIENCE)).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Version name').value).toBe('lamp');
    expect(screen.getByLabelText<HTMLInputElement>('Version number').value).toBe('2.0.0');
    await submit();
    await user.click(await screen.findByRole('button', { name: 'Roll out this version' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/add/addMission'));
    expect(router.state.location.searchStr).toContain('rollOut=1');
    expect((await screen.findByLabelText<HTMLInputElement>('Task name')).value).toBe('lamp-2-0-0');
  });

  it('leaves what was typed as it is when a file is chosen', async () => {
    openConsole(`${CREATE}?productId=${fleet.product.productId}`);
    await fill(user, 'Version name', 'Winter');
    await choose(fileOf(unique('firmware '), 'lamp-7.1.0.bin'));
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Version number').value).toBe('7.1.0'));
    expect(screen.getByLabelText<HTMLInputElement>('Version name').value).toBe('Winter');
    await screen.findByText('Uploaded and checked', {}, PATIENCE);
    await user.click(screen.getByRole('button', { name: 'Remove the file' }));
  });

  // Spec 5.67
  it('takes only files that are what they say', async () => {
    openConsole(`${CREATE}?productId=${fleet.product.productId}`);
    await choose(fileOf('x', 'lamp.txt'));
    expect(await screen.findByText('Firmware must be a bin, apk, hex, tar, img or zip file')).toBeTruthy();
    await choose(fileOf('', 'lamp.bin'));
    expect(await screen.findByText('The file is empty.')).toBeTruthy();
    expect(remembered()).toEqual([]);
    await choose(fileOf('no archive at all', 'lamp.zip'));
    const refusal = 'lamp.zip did not pass the check. Its contents are not what its extension says.';
    expect(await screen.findByText(refusal, {}, PATIENCE)).toBeTruthy();
    await waitFor(() => expect(remembered()).toEqual([]));
  });

  it('goes on where an upload was interrupted before a reload', async () => {
    const { userId, tenancyId } = session;
    const contents = unique('interrupted firmware ');
    const file = fileOf(contents, 'cut.bin');
    const bytes = new TextEncoder().encode(contents);
    const half = Math.floor(bytes.length / 2);
    const { place, firmwareUri } = await uploadFirmware({ fileName: file.name, bytes, tenancyId, sent: half });
    localStorage.setItem(
      `tus::firmware-${userId}-${tenancyId}-${file.name}-${file.size}-${file.lastModified}::1`,
      JSON.stringify({ size: file.size, metadata: {}, creationTime: new Date().toString(), uploadUrl: place }),
    );
    const percent = Math.floor((half / bytes.length) * 100);
    openConsole(`${CREATE}?productId=${fleet.product.productId}`);
    const notice = `An upload of cut.bin was interrupted at ${percent}%. Choose the same file to go on.`;
    expect(await screen.findByText(notice)).toBeTruthy();
    await choose(file);
    expect(await screen.findByText('Uploaded and checked', {}, PATIENCE)).toBeTruthy();
    expect(await fleet.operator.ok(firmwareCalls.getFirmwareFile, { firmwareUri })).toMatchObject({
      state: 'ready',
      sha256: await sha256Of(contents),
    });
  });

  it('offers a file that was uploaded and not used, and deletes one that is removed', async () => {
    const contents = unique('left behind ');
    const first = openConsole(`${CREATE}?productId=${fleet.product.productId}`);
    await choose(fileOf(contents, 'left.bin'));
    await screen.findByText('Uploaded and checked', {}, PATIENCE);
    first.unmount();

    openConsole(`${CREATE}?productId=${fleet.product.productId}`);
    const left = within(await screen.findByRole('list', { name: 'Unused uploads' }));
    expect(left.getByText(/^left\.bin \(\d+ B\) is uploaded, and no version uses it yet\.$/)).toBeTruthy();
    const stamp = JSON.parse(localStorage.getItem(remembered()[0] ?? '') ?? '{}') as { uploadUrl: string };
    const firmwareUri = `fw/${stamp.uploadUrl.split('/').at(-1)}`;
    await user.click(left.getByRole('button', { name: 'Use it' }));
    await screen.findByText('Uploaded and checked', {}, PATIENCE);
    await user.click(screen.getByRole('button', { name: 'Remove the file' }));
    expect(await screen.findByRole('button', { name: 'Choose a file' })).toBeTruthy();
    expect(screen.queryByRole('list', { name: 'Unused uploads' })).toBeNull();
    await waitFor(async () => {
      const { code } = await fleet.operator.error(firmwareCalls.getFirmwareFile, { firmwareUri });
      expect(code).toBe('FIRMWARE_NOT_FOUND');
    });
  });

  it('edits name, number and file, and keeps the product', async () => {
    const { productId } = await fleet.createProduct();
    const version = await createFirmwareVersion({ productId, tenancyId: fleet.tenancyId, versionNumber: '1.0.0' });
    const contents = unique('another ');
    const { router } = openConsole(`/add/addOta/${version.versionId}/1`);
    const number = await screen.findByLabelText('Version number');
    expect(screen.queryByLabelText('Product')).toBeNull();
    await user.clear(number);
    await fill(user, 'Version number', '1.0.1');
    await user.click(screen.getByRole('button', { name: 'Replace the file' }));
    await choose(fileOf(contents, 'another.bin'));
    await screen.findByText('Uploaded and checked', {}, PATIENCE);
    await submit('Save');
    await user.click(await screen.findByRole('button', { name: 'OK' }));
    await waitFor(() => expect(router.state.location.pathname).toBe(`/add/addOta/${version.versionId}/2`));
    const now = await stored(version.versionId);
    expect(now).toMatchObject({ versionNumber: '1.0.1', productId, nickName: 'another.bin' });
    expect(now.sha256).toBe(await sha256Of(contents));
    expect(await screen.findByText(now.manifest.signature)).toBeTruthy();
  });

  it('shows a number that is taken at its field', async () => {
    const { productId } = await fleet.createProduct();
    const { tenancyId } = fleet;
    await createFirmwareVersion({ productId, tenancyId, versionNumber: '1.0.0' });
    const second = await createFirmwareVersion({ productId, tenancyId, versionNumber: '1.0.1' });
    openConsole(`/add/addOta/${second.versionId}/1`);
    await user.clear(await screen.findByLabelText('Version number'));
    await fill(user, 'Version number', '1.0.0');
    await submit('Save');
    await user.click(await screen.findByRole('button', { name: 'OK' }));
    await waitFor(() => expect(problemAt('Version number')).toBe('The product has this version number already'));
    expect(await stored(second.versionId)).toMatchObject({ versionNumber: '1.0.1' });
  });

  it('only shows a version that an unfinished task uses', async () => {
    const { productId } = await fleet.createProduct();
    const { deviceId } = await fleet.registerDevice({ productId });
    const version = await createFirmwareVersion({ productId, tenancyId: fleet.tenancyId, versionNumber: '3.0.0' });
    await fleet.operator.ok(otaCalls.addDeviceOtaTask, {
      taskName: unique('task'),
      deviceVersionId: version.versionId,
      deviceListId: [deviceId],
      executeNow: 0,
      taskStart: new Date(Date.now() + 3_600_000).toISOString(),
    });
    openConsole(`/add/addOta/${version.versionId}/1`);
    expect(await screen.findByText(/Upgrade tasks that are not over use this version \(1\)/)).toBeTruthy();
    expect(screen.queryByLabelText('Version number')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull();
    await user.click(screen.getByRole('button', { name: `More actions: ${version.versionName}` }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/What an unfinished upgrade task uses cannot be deleted/)).toBeTruthy();
    expect(dialog.queryByRole('button', { name: 'Delete' })).toBeNull();
  });

  it("answers another tenant's version as one that is not there", async () => {
    const other = await createFleet();
    const { productId } = other.product;
    const version = await createFirmwareVersion({ productId, tenancyId: other.tenancyId, versionNumber: '1.0.0' });
    openConsole(`/add/addOta/${version.versionId}/2`);
    const card = within(await screen.findByRole('alert'));
    expect(card.getByText('Firmware version does not exist')).toBeTruthy();
  });
});
