import { categoryCalls, Menu, modelCalls, productCalls } from '@device-center/contract';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { openConsole } from '../../../test/console.tsx';
import { admin, createUserWithMenus, unique } from '../../../test/hub.ts';
import { saveSession } from '../../api/session.ts';

const MANY = 101;

const switches = Array.from({ length: MANY }, (_, index) => ({
  signCode: `switch${index}`,
  functionName: `Switch ${index}`,
  functionType: 1 as const,
  description: '',
  functionDefinition: { accessMode: 'rw' as const, dataType: { type: 'boolean' as const } },
}));

/** Creates a product without functions, of a category with more functions than can be copied at once. */
const productOfMany = async (tenancyId: string) => {
  const operator = await admin();
  const { categoryId } = await operator.ok(categoryCalls.addCategory, { categoryName: unique('many'), tenancyId });
  const sent = { categoryId, modelVersion: 1, functions: switches };
  await operator.ok(categoryCalls.saveOpenFunctions, sent);
  const fixed = { nodeType: 1, protocolId: 1, classId: 1, inheritFunctions: 0 } as const;
  const product = { productName: unique('prod'), categoryId, tenancyId, ...fixed };
  return (await operator.ok(productCalls.addDeviceProduct, product)).productId;
};

it('adds one to a hundred standard functions at a time', async () => {
  const { session, tenancyId } = await createUserWithMenus([Menu.productList]);
  const productId = await productOfMany(tenancyId);
  saveSession(session);
  const user = userEvent.setup();
  openConsole(`/detail/detailProduct/${productId}?tab=model`);
  const [open] = await screen.findAllByRole('button', { name: 'Add standard functions' });
  await user.click(open as HTMLElement);
  const picker = within(await screen.findByRole('dialog', { name: 'Add standard functions' }));
  const add = picker.getByRole('button', { name: 'Add to draft' });
  const all = await picker.findByRole('checkbox', { name: /Select all/ });

  await user.click(add);
  expect(picker.getByText('select at least one function')).toBeTruthy();
  await user.click(all);
  expect(picker.getByText('The number of selected functions exceeds the limit')).toBeTruthy();
  await user.click(add);
  expect(screen.queryByText(/Not saved/)).toBeNull();

  await user.click(picker.getByRole('checkbox', { name: /Switch 100/ }));
  await user.click(add);
  expect(await screen.findByText('Unsaved: 100 added, 0 changed, 0 removed')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved as version 2');
  const functions = await (await admin()).ok(modelCalls.getDeviceFunctionDefinitionList, { productId });
  expect(functions.map(({ signCode }) => signCode)).toEqual(switches.slice(0, 100).map(({ signCode }) => signCode));
}, 60_000);
