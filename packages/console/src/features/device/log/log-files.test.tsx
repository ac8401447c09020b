import { Menu, recordCalls } from '@device-center/contract';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { openConsole } from '../../../../test/console.tsx';
import { createUserWithMenus } from '../../../../test/hub.ts';
import { saveSession } from '../../../api/session.ts';
import { withTexts } from '../../../i18n/lazy.ts';
import { pathFrom } from '../../../ui/routing.ts';
import { LogFiles } from './log-files.tsx';

const NAME = 'lamp-1_2026-02-03.log';

const openFiles = () => {
  const load = withTexts(async () => ({ default: () => <LogFiles names={[NAME]} /> }), 'deviceDetail');
  openConsole('/files', [{ path: pathFrom('/files'), menus: [], title: () => 'Files', load }]);
};

// Spec 2.48, 8.19
it('downloads a log file, and shows an error when that fails', async () => {
  saveSession((await createUserWithMenus([Menu.deviceList])).session);
  const user = userEvent.setup();
  openFiles();
  // The hub has no such file.
  await user.click(await screen.findByRole('button', { name: new RegExp(NAME) }));
  expect(await screen.findByText('File download failed')).toBeTruthy();

  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) =>
    url.startsWith(recordCalls.downloadDeviceLogFile.path) ? Promise.resolve(new Response('line')) : fetch(url, init),
  );
  const saved: Blob[] = [];
  const createObjectUrl = vi
    .spyOn(URL, 'createObjectURL')
    .mockImplementation((blob) => `blob:${saved.push(blob as Blob)}`);
  await user.click(screen.getByRole('button', { name: new RegExp(NAME) }));
  await expect.poll(() => Promise.all(saved.map((blob) => blob.text()))).toEqual(['line']);
  createObjectUrl.mockRestore();
});
