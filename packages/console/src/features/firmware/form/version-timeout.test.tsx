import { type FirmwareFile, firmwareCalls, Menu } from '@device-center/contract';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { openConsole } from '../../../../test/console.tsx';
import { createFleet } from '../../../../test/fleet.ts';
import { createUserWithMenus } from '../../../../test/hub.ts';
import { saveSession } from '../../../api/session.ts';
import { CHECK_WAIT_MS } from '../upload/check-wait.tsx';

const UPLOAD_TIMEOUT = { timeout: 30_000 };

afterEach(() => vi.restoreAllMocks());

/** Stubs the responses so that the hub's check never ends. */
const stubEndlessCheck = () => {
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    const answer = await fetch(url, init);
    if (!url.startsWith(firmwareCalls.getFirmwareFile.path)) return answer;
    const { data, ...rest } = (await answer.json()) as { data: FirmwareFile };
    return Response.json({ ...rest, data: { ...data, state: 'checking' } });
  });
};

/** Shortens the timeout of the check, and no other timer. */
const shortenCheckTimeout = () => {
  const { setTimeout: wait } = globalThis;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms?: number, ...rest: []) =>
    wait(work, ms === CHECK_WAIT_MS ? 50 : ms, ...rest)) as typeof setTimeout);
};

// Spec 4.53, 8.17
it('asks for a new upload when the check times out', async () => {
  const fleet = await createFleet();
  saveSession((await createUserWithMenus([Menu.softwareVersion], fleet.tenancyId)).session);
  stubEndlessCheck();
  shortenCheckTimeout();
  const user = userEvent.setup();
  openConsole(`/add/addOta/0/0?productId=${fleet.product.productId}`);
  const choose = () => screen.findByLabelText('Choose file', { selector: 'input' }, UPLOAD_TIMEOUT);
  await user.upload(await choose(), new File(['firmware'], 'lamp.bin'));
  expect(await screen.findByText('Upload timed out, please upload again', {}, UPLOAD_TIMEOUT)).toBeTruthy();
  // The file can be chosen again, and none counts as uploaded.
  expect(await choose()).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  expect(await screen.findByText('Firmware not yet uploaded')).toBeTruthy();
});
