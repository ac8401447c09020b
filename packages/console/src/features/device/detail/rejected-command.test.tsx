import { deviceCalls, Menu, mockCalls, productCalls } from '@device-center/contract';
import { createMock, type Mock } from '@device-center/virtual-device';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { openConsole } from '../../../../test/console.tsx';
import { admin, createApplication, createUserWithMenus, unique } from '../../../../test/hub.ts';
import { saveSession } from '../../../api/session.ts';
import { loadLazyTexts } from '../../../i18n/lazy.ts';
import { loadAllTexts } from '../../../i18n/start.ts';
import { devicePath } from '../../../paths.ts';

const ONLINE_TIMEOUT = { timeout: 20_000 };

describe('a command that the device rejects', () => {
  let mock: Mock;
  let deviceId: string;
  let session: Parameters<typeof saveSession>[0];

  beforeAll(async () => {
    await Promise.all([loadAllTexts(), loadLazyTexts('deviceDetail'), loadLazyTexts('model')]);
    const created = await createUserWithMenus([Menu.deviceList]);
    session = created.session;
    const operator = await admin();
    const { tenancyId } = created;
    const { applicationId } = await createApplication(tenancyId);
    const kind = { categoryId: 'std-lighting', nodeType: 1, protocolId: 1, classId: 1, applicationId } as const;
    const product = { ...kind, productName: unique('prod'), tenancyId };
    const { productId } = await operator.ok(productCalls.addDeviceProduct, product);
    const named = { deviceName: unique('lamp'), productId, children: [] };
    ({ deviceId } = await operator.ok(mockCalls.createMockDevice, named));
    const details = await operator.ok(mockCalls.getMockDeviceDetails, { deviceId });
    mock = createMock({ hubUrl: inject('hubUrl'), transport: 'ws', details });
    await mock.device.start();
    mock.arm({ refuseWith: 'BUSY' });
    const online = async () => (await operator.ok(deviceCalls.getDeviceDetails, { deviceId })).online;
    for (const end = Date.now() + ONLINE_TIMEOUT.timeout; (await online()) !== 1; )
      if (Date.now() > end) throw new Error('the mock device did not come online');
  });
  afterAll(() => mock?.stop());
  beforeEach(() => saveSession(session));

  it("shows the device's response next to the function and no error toast", async () => {
    openConsole(`${devicePath(deviceId)}?tab=functions`);
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Read Power' }, ONLINE_TIMEOUT));
    const answer = await screen.findByText(/^The device is busy/, {}, ONLINE_TIMEOUT);
    expect(answer.textContent).toContain('60002');
    expect(document.querySelector('.ant-message-error')).toBeNull();
  });
});
