import { firmwareCalls, Menu, otaCalls } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fill, openConsole, problemAt } from '../../../../test/console.tsx';
import { createFirmwareVersion, uploadFirmware } from '../../../../test/firmware.ts';
import { createFleet, type Fleet } from '../../../../test/fleet.ts';
import { createUserWithMenus, type LoginAnswer, unique } from '../../../../test/hub.ts';
import { saveSession } from '../../../api/session.ts';

const UPLOAD_TIMEOUT = { timeout: 30_000 };
const CREATE = '/add/addOta/0/0';

const fileOf = (contents: string, name = 'lamp.bin'): File => new File([contents], name, { lastModified: 1_700_000 });
const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
const sha256Of = async (contents: string): Promise<string> =>
  hexOf(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(contents)));
const storedUploadKeys = (): string[] => Object.keys({ ...localStorage }).filter((key) => key.startsWith('tus::'));

describe('firmware version form', () => {
  let fleet: Fleet;
  let session: LoginAnswer;
  const user = userEvent.setup({ applyAccept: false });

  beforeAll(async () => {
    fleet = await createFleet();
    ({ session } = await createUserWithMenus([Menu.softwareVersion, Menu.updateMission], fleet.tenancyId));
  });
  beforeEach(() => saveSession(session));

  const choose = async (file: File): Promise<void> => {
    await user.upload(await screen.findByLabelText('Choose file', { selector: 'input' }), file);
  };
  const submit = (name = 'Submit') => user.click(screen.getByRole('button', { name }));
  const getVersion = (versionId: string) => fleet.operator.ok(firmwareCalls.getDeviceOtaVersionDetails, { versionId });

  // Spec 2.32, 4.52, 8.15
  it('uploads a file, waits for its check and creates a version', async () => {
    const { productId, productName } = await fleet.createProduct();
    await createFirmwareVersion({ productId, tenancyId: fleet.tenancyId, versionNumber: '1.2.9' });
    const contents = unique('firmware ');
    const { router } = openConsole(`${CREATE}?productId=${productId}`);
    expect(await screen.findByText(productName, {}, UPLOAD_TIMEOUT)).toBeTruthy();
    await submit();
    await waitFor(() => expect(screen.getByText('Firmware not yet uploaded')).toBeTruthy());

    await fill(user, 'Version name', 'Winter');
    await user.click(await screen.findByRole('button', { name: 'Use 1.2.10' }));
    await choose(fileOf(contents, 'winter.bin'));
    expect(await screen.findByText('Uploaded and checked', {}, UPLOAD_TIMEOUT)).toBeTruthy();
    await waitFor(() => expect(screen.queryByText('Firmware not yet uploaded')).toBeNull());
    expect(screen.getByText(await sha256Of(contents))).toBeTruthy();
    expect(storedUploadKeys()).toHaveLength(1);
    await submit();
    await user.click(await screen.findByRole('button', { name: 'OK' }));

    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/add\/addOta\/\w+\/2$/));
    const versionId = router.state.location.pathname.split('/')[3] ?? '';
    expect(await getVersion(versionId)).toMatchObject({
      versionName: 'Winter',
      versionNumber: '1.2.10',
      nickName: 'winter.bin',
      size: contents.length,
    });
    expect(await screen.findByRole('heading', { name: 'Winter' })).toBeTruthy();
    await waitFor(() => expect(storedUploadKeys()).toEqual([]));
  });

  it('selects the only product, fills in the file name, and continues to the rollout', async () => {
    const own = await createFleet();
    const { session: ownSession } = await createUserWithMenus(
      [Menu.softwareVersion, Menu.updateMission, Menu.productList],
      own.tenancyId,
    );
    saveSession(ownSession);
    const { productName } = own.product;
    const { router } = openConsole(CREATE);
    expect(await screen.findByText(productName, {}, UPLOAD_TIMEOUT)).toBeTruthy();
    await choose(fileOf(unique('firmware '), 'lamp-2.0.0.bin'));
    expect(await screen.findByText('Uploaded and checked', {}, UPLOAD_TIMEOUT)).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Version name').value).toBe('lamp');
    expect(screen.getByLabelText<HTMLInputElement>('Version number').value).toBe('2.0.0');
    await submit();
    await user.click(await screen.findByRole('button', { name: 'Roll out this version' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/add/addMission'));
    expect(router.state.location.searchStr).toContain('rollOut=1');
    expect((await screen.findByLabelText<HTMLInputElement>('Task name')).value).toBe('lamp-2-0-0');
  });

  it('keeps typed values when a file is chosen', async () => {
    openConsole(`${CREATE}?productId=${fleet.product.productId}`);
    await fill(user, 'Version name', 'Winter');
    await choose(fileOf(unique('firmware '), 'lamp-7.1.0.bin'));
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Version number').value).toBe('7.1.0'));
    expect(screen.getByLabelText<HTMLInputElement>('Version name').value).toBe('Winter');
    await screen.findByText('Uploaded and checked', {}, UPLOAD_TIMEOUT);
    await user.click(screen.getByRole('button', { name: 'Remove file' }));
  });

  // Spec 5.67
  it('rejects files with a wrong type or content', async () => {
    openConsole(`${CREATE}?productId=${fleet.product.productId}`);
    await choose(fileOf('x', 'lamp.txt'));
    expect(await screen.findByText('Firmware must be a bin, apk, hex, tar, img or zip file')).toBeTruthy();
    await choose(fileOf('', 'lamp.bin'));
    expect(await screen.findByText('The file is empty.')).toBeTruthy();
    expect(storedUploadKeys()).toEqual([]);
    await choose(fileOf('no archive at all', 'lamp.zip'));
    const message = 'lamp.zip failed the check. The content does not match the file extension.';
    expect(await screen.findByText(message, {}, UPLOAD_TIMEOUT)).toBeTruthy();
    await waitFor(() => expect(storedUploadKeys()).toEqual([]));
  });

  it('resumes an upload that was interrupted before a reload', async () => {
    const { userId, tenancyId } = session;
    const contents = unique('interrupted firmware ');
    const file = fileOf(contents, 'cut.bin');
    const bytes = new TextEncoder().encode(contents);
    const half = Math.floor(bytes.length / 2);
    const { uploadUrl, firmwareUri } = await uploadFirmware({ fileName: file.name, bytes, tenancyId, sent: half });
    localStorage.setItem(
      `tus::firmware-${userId}-${tenancyId}-${file.name}-${file.size}-${file.lastModified}::1`,
      JSON.stringify({ size: file.size, metadata: {}, creationTime: new Date().toString(), uploadUrl }),
    );
    const percent = Math.floor((half / bytes.length) * 100);
    openConsole(`${CREATE}?productId=${fleet.product.productId}`);
    const notice = `The upload of cut.bin was interrupted at ${percent}%. Choose the same file to resume.`;
    expect(await screen.findByText(notice)).toBeTruthy();
    await choose(file);
    expect(await screen.findByText('Uploaded and checked', {}, UPLOAD_TIMEOUT)).toBeTruthy();
    expect(await fleet.operator.ok(firmwareCalls.getFirmwareFile, { firmwareUri })).toMatchObject({
      state: 'ready',
      sha256: await sha256Of(contents),
    });
  });

  it('offers an unused upload, and deletes a removed one', async () => {
    const contents = unique('left behind ');
    const first = openConsole(`${CREATE}?productId=${fleet.product.productId}`);
    await choose(fileOf(contents, 'left.bin'));
    await screen.findByText('Uploaded and checked', {}, UPLOAD_TIMEOUT);
    first.unmount();

    openConsole(`${CREATE}?productId=${fleet.product.productId}`);
    const unusedUploads = within(await screen.findByRole('list', { name: 'Unfinished and unused uploads' }));
    expect(unusedUploads.getByText(/^left\.bin \(\d+ B\) is uploaded but not used by any version\.$/)).toBeTruthy();
    const stamp = JSON.parse(localStorage.getItem(storedUploadKeys()[0] ?? '') ?? '{}') as { uploadUrl: string };
    const firmwareUri = `fw/${stamp.uploadUrl.split('/').at(-1)}`;
    await user.click(unusedUploads.getByRole('button', { name: 'Use file' }));
    await screen.findByText('Uploaded and checked', {}, UPLOAD_TIMEOUT);
    await user.click(screen.getByRole('button', { name: 'Remove file' }));
    expect(await screen.findByRole('button', { name: 'Choose file' })).toBeTruthy();
    expect(screen.queryByRole('list', { name: 'Unfinished and unused uploads' })).toBeNull();
    await waitFor(async () => {
      const { code } = await fleet.operator.error(firmwareCalls.getFirmwareFile, { firmwareUri });
      expect(code).toBe('FIRMWARE_NOT_FOUND');
    });
  });

  it('edits name, number and file, but not the product', async () => {
    const { productId } = await fleet.createProduct();
    const version = await createFirmwareVersion({ productId, tenancyId: fleet.tenancyId, versionNumber: '1.0.0' });
    const contents = unique('another ');
    const { router } = openConsole(`/add/addOta/${version.versionId}/1`);
    const number = await screen.findByLabelText('Version number');
    expect(screen.queryByLabelText('Product')).toBeNull();
    await user.clear(number);
    await fill(user, 'Version number', '1.0.1');
    await user.click(screen.getByRole('button', { name: 'Replace file' }));
    await choose(fileOf(contents, 'another.bin'));
    await screen.findByText('Uploaded and checked', {}, UPLOAD_TIMEOUT);
    await submit('Save');
    await user.click(await screen.findByRole('button', { name: 'OK' }));
    await waitFor(() => expect(router.state.location.pathname).toBe(`/add/addOta/${version.versionId}/2`));
    const now = await getVersion(version.versionId);
    expect(now).toMatchObject({ versionNumber: '1.0.1', productId, nickName: 'another.bin' });
    expect(now.sha256).toBe(await sha256Of(contents));
    expect(await screen.findByText(now.manifest.signature)).toBeTruthy();
  });

  it('shows a taken number at its field', async () => {
    const { productId } = await fleet.createProduct();
    const { tenancyId } = fleet;
    await createFirmwareVersion({ productId, tenancyId, versionNumber: '1.0.0' });
    const second = await createFirmwareVersion({ productId, tenancyId, versionNumber: '1.0.1' });
    openConsole(`/add/addOta/${second.versionId}/1`);
    await user.clear(await screen.findByLabelText('Version number'));
    await fill(user, 'Version number', '1.0.0');
    await submit('Save');
    await user.click(await screen.findByRole('button', { name: 'OK' }));
    await waitFor(() => expect(problemAt('Version number')).toBe('The product already has this version number'));
    expect(await getVersion(second.versionId)).toMatchObject({ versionNumber: '1.0.1' });
  });

  it('shows a version in use by an unfinished task read-only', async () => {
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
    expect(await screen.findByText(/Unfinished upgrade tasks use this version \(1\)/)).toBeTruthy();
    expect(screen.queryByLabelText('Version number')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull();
    await user.click(screen.getByRole('button', { name: `More actions: ${version.versionName}` }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/A version that is used by an unfinished upgrade task cannot be deleted/)).toBeTruthy();
    expect(dialog.queryByRole('button', { name: 'Delete' })).toBeNull();
  });

  it('shows that a version of another tenant does not exist', async () => {
    const other = await createFleet();
    const { productId } = other.product;
    const version = await createFirmwareVersion({ productId, tenancyId: other.tenancyId, versionNumber: '1.0.0' });
    openConsole(`/add/addOta/${version.versionId}/2`);
    const card = within(await screen.findByRole('alert'));
    expect(card.getByText('Firmware version does not exist')).toBeTruthy();
  });
});
