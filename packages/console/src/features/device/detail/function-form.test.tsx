import {
  applicationCalls,
  type DataType,
  type DeviceDetails,
  deviceCalls,
  Menu,
  type ModelFunction,
  productCalls,
} from '@device-center/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { problemOf, recordRequests } from '../../../../test/console.tsx';
import { admin, createUserWithMenus, unique } from '../../../../test/hub.ts';
import { createQueryClient } from '../../../api/query-client.ts';
import { saveSession } from '../../../api/session.ts';
import { loadLazyTexts } from '../../../i18n/lazy.ts';
import { loadAllTexts } from '../../../i18n/start.ts';
import type { Sendable } from '../../../model/values/value-draft.ts';
import FunctionForm from './function-form.tsx';

const property = (dataType: DataType): Sendable => ({
  signCode: 'subject',
  functionName: 'Subject',
  description: '',
  functionType: 1,
  functionDefinition: { accessMode: 'rw', dataType },
});

const service: ModelFunction & { functionType: 32 } = {
  signCode: 'calibrate',
  functionName: 'Calibrate',
  description: '',
  functionType: 32,
  functionDefinition: {
    callType: 'sync',
    input: [
      { identifier: 'offset', name: 'Offset', required: true, dataType: { type: 'double', min: -5, max: 5 } },
      { identifier: 'note', name: 'Note', required: false, dataType: { type: 'string', length: 4 } },
      {
        identifier: 'plan',
        name: 'Plan',
        required: true,
        dataType: {
          type: 'array',
          count: 2,
          element: {
            type: 'json',
            fields: [{ identifier: 'hour', name: 'Hour', required: true, dataType: { type: 'integer', max: 23 } }],
          },
        },
      },
    ],
    output: [],
  },
};

describe('function form', () => {
  let device: DeviceDetails;

  beforeAll(async () => {
    const operator = await admin();
    const { session, tenancyId } = await createUserWithMenus([Menu.deviceList]);
    const named = { applicationName: unique('app'), tenancyId };
    const { applicationId } = await operator.ok(applicationCalls.addApplication, named);
    const fields = { categoryId: 'std-lighting', nodeType: 1, protocolId: 1, classId: 1, tenancyId } as const;
    const { productId } = await operator.ok(productCalls.addDeviceProduct, { productName: unique('prod'), ...fields });
    const deviceId = unique('dev');
    await operator.ok(deviceCalls.addDevice, { deviceId, productId, applicationId });
    saved = session;
    // Still online for the page, as between a disconnect and its presence event.
    device = { ...(await operator.ok(deviceCalls.getDeviceDetails, { deviceId })), online: 1 };
    await Promise.all([loadAllTexts(), loadLazyTexts('deviceDetail'), loadLazyTexts('model')]);
  });
  let saved: Parameters<typeof saveSession>[0];
  beforeEach(() => saveSession(saved));

  const open = (entry: Sendable, value?: unknown) => {
    const requests = recordRequests();
    render(
      <QueryClientProvider client={createQueryClient()}>
        <FunctionForm device={device} entry={entry} value={value} />
      </QueryClientProvider>,
    );
    const sent = () =>
      requests.filter(({ call }) => call === 'commandDeviceFunction').map(({ input }) => input.functionValue);
    return { user: userEvent.setup(), sent };
  };
  const buttonNamed = (name: 'Send' | 'Call') => screen.getByRole('button', { name });

  it.each([
    ['integer', { type: 'integer', min: 0, max: 9 }, '12', 'Must not be above 9', '7', '7'],
    ['double', { type: 'double', min: 0.5 }, 'warm', 'Must be a number', '.75', '0.75'],
    ['long', { type: 'long' }, '12.5', 'Must be a 64-bit whole number', '9223372036854775807', '"9223372036854775807"'],
    ['string', { type: 'string', length: 3 }, '12345', 'At most 3 characters', '😀ok', '"😀ok"'],
  ] as const)(
    'rejects an invalid %s while it is typed, and sends a valid one',
    async (_name, type, invalidInput, problem, validInput, json) => {
      const { user, sent } = open(property({ ...type }));
      const field = screen.getByRole('textbox', { name: /^Subject/ });
      expect(problemOf(field)).toBe('');
      await user.click(field);
      await user.paste(invalidInput);
      expect(problemOf(field)).toContain(problem);
      await user.click(buttonNamed('Send'));
      expect(sent()).toEqual([]);
      await user.clear(field);
      await user.paste(validInput);
      expect(problemOf(field)).toBe('');
      await user.click(buttonNamed('Send'));
      await waitFor(() => expect(sent()).toEqual([json]));
    },
  );

  it('shows a boolean as a switch with the current value', async () => {
    const { user, sent } = open(property({ type: 'boolean', trueText: 'open', falseText: 'shut' }), true);
    expect(screen.getByText('open')).toBeTruthy();
    await user.click(screen.getByRole('switch', { name: /^Subject/ }));
    await user.click(buttonNamed('Send'));
    await waitFor(() => expect(sent()).toEqual(['false']));
  });

  it('offers the items of an enum by their descriptions', async () => {
    const items = [
      { value: '0', description: 'auto' },
      { value: '1', description: 'manual' },
    ];
    const { user, sent } = open(property({ type: 'enum', items }));
    await user.click(buttonNamed('Send'));
    expect(sent()).toEqual([]);
    expect(screen.getByText('Must be one of 0, 1')).toBeTruthy();
    await user.click(screen.getByRole('combobox', { name: /^Subject/ }));
    await user.click(await screen.findByTitle('manual (1)'));
    await user.click(buttonNamed('Send'));
    await waitFor(() => expect(sent()).toEqual(['"1"']));
  });

  it('validates required, optional and nested parameters of a service', async () => {
    const { user, sent } = open(service);
    await user.click(buttonNamed('Call'));
    expect(problemOf(screen.getByRole('textbox', { name: /^Offset/ }))).toBe('A required value is missing');
    expect(sent()).toEqual([]);
    await user.click(screen.getByRole('textbox', { name: /^Offset/ }));
    await user.paste('-1.5');
    expect(screen.queryByRole('textbox', { name: /^Note/ })).toBeNull();
    await user.click(screen.getByRole('checkbox', { name: 'Include Note' }));
    await user.click(screen.getByRole('textbox', { name: /^Note/ }));
    await user.paste('ok');
    const plan = within(screen.getByRole('group', { name: /^Plan/ }));
    for (const hour of ['24', '7']) {
      await user.click(plan.getByRole('button', { name: 'Add entry' }));
      await user.click(plan.getAllByRole('textbox', { name: /^Hour/ }).at(-1) as HTMLElement);
      await user.paste(hour);
    }
    expect(plan.getByRole('button', { name: 'Add entry' })).toHaveProperty('disabled', true);
    expect(plan.getAllByRole('textbox').map(problemOf)).toEqual(['Must not be above 23', '']);
    await user.click(buttonNamed('Call'));
    expect(sent()).toEqual([]);
    await user.click(plan.getByRole('button', { name: 'Remove entry 1' }));
    await user.click(buttonNamed('Call'));
    await waitFor(() =>
      expect(sent().map((text) => JSON.parse(text ?? ''))).toEqual([{ offset: -1.5, note: 'ok', plan: [{ hour: 7 }] }]),
    );
  });

  // Spec 8.18
  it("shows the hub's error in the form", async () => {
    const { user } = open({ ...property({ type: 'boolean' }), signCode: 'power' }, true);
    await user.click(screen.getByRole('button', { name: 'Read Subject' }));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toBe('Device not online, not available');
  });
});
