import { Menu, mockCalls, productCalls } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clickWhenEnabled, openConsole, openSelect, pickChoice, problemOf } from '../../../../test/console.tsx';
import { createFleet, type Fleet } from '../../../../test/fleet.ts';
import { createUserWithMenus, type LoginAnswer, unique } from '../../../../test/hub.ts';
import { saveSession } from '../../../api/session.ts';
import { withTexts } from '../../../i18n/lazy.ts';
import { pathFrom } from '../../../ui/routing.ts';
import { AddChildrenDialog } from './add-children.tsx';

type Gateway = { deviceId: string; tenancyId: string; children: number };

type ClosingDialogProps = { gateway: Gateway; onAdded: (deviceIds: string[]) => void };

const ClosingDialog = (props: ClosingDialogProps) => {
  const [open, setOpen] = useState(true);
  return <AddChildrenDialog {...props} open={open} onClose={() => setOpen(false)} />;
};

describe('AddChildrenDialog', () => {
  let fleet: Fleet;
  let session: LoginAnswer;
  let gatewayProduct: { productId: string };
  let childProduct: { productId: string; productName: string };

  const newGateway = async (count: number): Promise<Gateway> => {
    const { productId } = childProduct;
    const { deviceId } = await fleet.operator.ok(mockCalls.createMockDevice, {
      deviceName: unique('gateway'),
      productId: gatewayProduct.productId,
      children: Array.from({ length: count }, (_, place) => ({ deviceName: `first-${place}`, productId })),
    });
    return { deviceId, tenancyId: fleet.tenancyId, children: count };
  };
  const openDialog = (gateway: Gateway): string[] => {
    const added: string[] = [];
    const page = {
      default: () => <ClosingDialog gateway={gateway} onAdded={(deviceIds) => added.push(...deviceIds)} />,
    };
    const load = withTexts(async () => page, 'mock');
    openConsole('/dialog', [{ path: pathFrom('/dialog'), menus: [], title: () => 'Dialog', load }]);
    return added;
  };
  const addButton = async () => within(await screen.findByRole('dialog')).getByRole('button', { name: 'Add' });
  const childrenOf = async ({ deviceId }: Gateway) =>
    (await fleet.operator.ok(mockCalls.getMockDeviceDetails, { deviceId })).children.map((child) => child.deviceId);

  beforeAll(async () => {
    fleet = await createFleet();
    ({ session } = await createUserWithMenus([Menu.mockList], fleet.tenancyId));
    gatewayProduct = await fleet.createProduct({ nodeType: 2 });
    childProduct = await fleet.createProduct({ nodeType: 3 });
  });
  beforeEach(() => saveSession(session));

  it('adds children up to the limit of the gateway and returns their ids', async () => {
    const gateway = await newGateway(8);
    const user = userEvent.setup();
    const added = openDialog(gateway);
    await pickChoice(user, 'Product of the child devices to add', childProduct.productName);
    const options = await openSelect(user, 'Number of child devices to add');
    const two = await options.findByText('2', { selector: '.ant-select-item-option-content' });
    // Only as many as the gateway can still take.
    expect(options.queryByText('3', { selector: '.ant-select-item-option-content' })).toBeNull();
    await user.click(two);
    await clickWhenEnabled(user, 'Add 2 child devices');
    expect(await screen.findByText('10/10 child devices')).toBeTruthy();
    expect(screen.getByText('At most 10 child devices can be mounted')).toBeTruthy();
    await user.click(await addButton());
    await waitFor(() => expect(added).toHaveLength(2));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect((await childrenOf(gateway)).slice(8)).toEqual(added);
  });

  it('disables the button until a child is added', async () => {
    const gateway = await newGateway(0);
    openDialog(gateway);
    expect((await addButton()).hasAttribute('disabled')).toBe(true);
  });

  // Spec 8.13
  it('stays open with the error of the hub', async () => {
    const gateway = await newGateway(9);
    const vanishing = await fleet.createProduct({ nodeType: 3 });
    const user = userEvent.setup();
    const added = openDialog(gateway);
    await pickChoice(user, 'Product of the child devices to add', vanishing.productName);
    await clickWhenEnabled(user, 'Add 1 child device');
    await fleet.operator.ok(productCalls.deleteDeviceProduct, { productIds: [vanishing.productId] });
    await user.click(await addButton());
    const field = screen.getByRole('combobox', { name: 'Product of child device 1' });
    await waitFor(() => expect(problemOf(field)).toBe('Product does not exist'));
    expect((await screen.findByRole('alert')).textContent).toContain('Add failed');

    // Another user adds the last child first: the hub rejects the whole list.
    await pickChoice(user, 'Product of child device 1', childProduct.productName);
    const { productId } = childProduct;
    const children = [{ deviceName: 'quicker', productId }];
    await fleet.operator.ok(mockCalls.addMockChildren, { deviceId: gateway.deviceId, children });
    await user.click(await addButton());
    const dialog = within(await screen.findByRole('dialog'));
    expect((await dialog.findAllByText('At most 10 child devices can be mounted')).length).toBeGreaterThan(0);
    expect(added).toEqual([]);
    expect(await childrenOf(gateway)).toHaveLength(10);
  });
});
