import { Menu, mockCalls, productCalls } from '@device-center/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  clickWhenEnabled,
  fill,
  openConsole,
  openSelect,
  pickChoice,
  problemAt,
  problemOf,
  recordRequests,
} from '../../../../test/console.tsx';
import { createFleet, type Fleet } from '../../../../test/fleet.ts';
import {
  adminSession,
  createApplication,
  createUserWithMenus,
  type LoginAnswer,
  unique,
} from '../../../../test/hub.ts';
import { saveSession } from '../../../api/session.ts';
import { startTexts } from '../../../i18n/start.ts';
import { childNames } from './child-names.ts';

const ADD = '/add/addMock';
type Product = { productId: string; productName: string };

describe('creating a mock device', () => {
  let fleet: Fleet;
  let session: LoginAnswer;
  let gateways: Product;
  let childProducts: Product;

  const searchProduct = async (user: UserEvent, productId: string) => {
    const field = await screen.findByLabelText('Product id');
    await user.clear(field);
    await user.click(field);
    await user.paste(productId);
    await user.keyboard('{Enter}');
  };
  const choose = async (user: UserEvent, { productId, productName }: Product) => {
    await searchProduct(user, productId);
    await user.click(await screen.findByRole('radio', { name: new RegExp(productName) }));
  };
  const submit = (user: UserEvent) => user.click(screen.getByRole('button', { name: 'Submit' }));
  const created = async (deviceName: string) =>
    (await fleet.operator.ok(mockCalls.queryMockDeviceList, { deviceName })).list;

  beforeAll(async () => {
    // Loading antd takes seconds, which must not count towards the first test's timeout.
    await import('./add-mock-page.tsx');
    fleet = await createFleet();
    ({ session } = await createUserWithMenus([Menu.mockList], fleet.tenancyId));
    gateways = await fleet.createProduct({ nodeType: 2 });
    childProducts = await fleet.createProduct({ nodeType: 3 });
  });
  beforeEach(() => saveSession(session));

  // Spec 2.35, 5.57
  it('finds a product by its id, creates the device and opens its page', async () => {
    const deviceName = unique('single');
    const user = userEvent.setup();
    const { router } = openConsole(ADD);
    await choose(user, fleet.product);
    expect(
      await screen.findByText(
        `Optional. Leave empty to use the default application of the product, ${fleet.application.applicationName}.`,
      ),
    ).toBeTruthy();
    expect(screen.queryByRole('heading', { name: 'Child devices' })).toBeNull();
    await fill(user, 'Device name', deviceName);
    await submit(user);
    await user.click(await screen.findByRole('button', { name: 'OK' }));
    const [mock] = await created(deviceName);
    expect(mock).toMatchObject({
      productId: fleet.product.productId,
      applicationId: fleet.application.applicationId,
      mock: 1,
    });
    await waitFor(() => expect(router.state.location.pathname).toBe(`/detail/detailMock/${mock?.deviceId}`));
  });

  // Spec 5.56, 5.57, 8.23
  it('reports an empty search result and a missing product', async () => {
    const user = userEvent.setup();
    const sent = recordRequests();
    openConsole(ADD);
    await user.click(await screen.findByRole('button', { name: 'Search' }));
    expect(await screen.findByText('Enter a product key first')).toBeTruthy();
    await searchProduct(user, 'nosuchproduct');
    expect(await screen.findByText('Search product result empty')).toBeTruthy();
    expect(sent.filter(({ call }) => call === 'create')).toEqual([]);
    await fill(user, 'Device name', 'lamp');
    await submit(user);
    await waitFor(() => expect(problemAt('Product id')).toBe('Product selection cannot be empty'));
    expect(sent.filter(({ call }) => call === 'create')).toEqual([]);
  });

  // Spec 5.58
  it('disables a child product with the reason', async () => {
    const user = userEvent.setup();
    openConsole(ADD);
    await searchProduct(user, childProducts.productId);
    const row = await screen.findByRole<HTMLInputElement>('radio', { name: new RegExp(childProducts.productName) });
    expect(row.disabled).toBe(true);
    expect(
      screen.getByText('A gateway child device cannot be mocked alone. Add it as a child device of a gateway'),
    ).toBeTruthy();
  });

  it('offers the products of the tenant without a search', async () => {
    const user = userEvent.setup();
    openConsole(ADD);
    await screen.findByLabelText('Product id');
    await pickChoice(user, 'Browse recent products', gateways.productName);
    const row = await screen.findByRole<HTMLInputElement>('radio', { name: new RegExp(gateways.productName) });
    expect(row.checked).toBe(true);
    expect(await screen.findByRole('heading', { name: 'Child devices' })).toBeTruthy();
  });

  it("does not find another tenant's product", async () => {
    const foreign = await createFleet();
    const user = userEvent.setup();
    openConsole(ADD);
    await searchProduct(user, foreign.product.productId);
    expect(await screen.findByText('Search product result empty')).toBeTruthy();
  });

  it('requires an application if the product has no default', async () => {
    const bare = await fleet.createProduct({ applicationId: '' });
    const deviceName = unique('bare');
    const user = userEvent.setup();
    openConsole(ADD);
    await choose(user, bare);
    expect(await screen.findByText('The product has no default application. Select one.')).toBeTruthy();
    await fill(user, 'Device name', deviceName);
    await submit(user);
    await waitFor(() => expect(problemAt('Application')).toBe('The input cannot be empty, please re-enter'));
    await pickChoice(user, 'Application', fleet.application.applicationName);
    await submit(user);
    await user.click(await screen.findByRole('button', { name: 'OK' }));
    expect(await created(deviceName)).toMatchObject([{ applicationId: fleet.application.applicationId }]);
  });

  // Spec 5.59
  it('accepts ten children of a gateway and no eleventh', async () => {
    const deviceName = unique('gateway');
    const user = userEvent.setup();
    openConsole(ADD);
    await choose(user, gateways);
    await fill(user, 'Device name', deviceName);
    const add = await screen.findByRole<HTMLButtonElement>('button', { name: 'Add child device' });
    await user.click(add);
    await fill(user, 'Name of child device 1', 'by-hand');
    await pickChoice(user, 'Product of child device 1', childProducts.productName);
    await pickChoice(user, 'Product of the child devices to add', childProducts.productName);
    const numbers = await openSelect(user, 'Number of child devices to add');
    await user.click(await numbers.findByText('9', { selector: '.ant-select-item-option-content' }));
    await clickWhenEnabled(user, 'Add 9 child devices');
    expect(await screen.findByText('10/10 child devices')).toBeTruthy();
    expect(screen.getAllByRole('textbox', { name: /^Name of child/ })).toHaveLength(10);
    expect(add.disabled).toBe(true);
    expect(screen.getByText('At most 10 child devices can be mounted')).toBeTruthy();
    expect(screen.queryByRole('combobox', { name: 'Number of child devices to add' })).toBeNull();
    await submit(user);
    await user.click(await screen.findByRole('button', { name: 'OK' }));
    const [mock] = await created(deviceName);
    expect(mock?.childCount).toBe(10);
    const { children } = await fleet.operator.ok(mockCalls.getMockDeviceDetails, { deviceId: mock?.deviceId ?? '' });
    expect(children.map((child) => child.deviceName)).toEqual([
      'by-hand',
      ...childNames(childProducts.productName, 9, []),
    ]);
  });

  it("shows the hub's error at the affected child", async () => {
    const vanishing = await fleet.createProduct({ nodeType: 3 });
    const deviceName = unique('refused');
    const user = userEvent.setup();
    openConsole(ADD);
    await choose(user, gateways);
    await fill(user, 'Device name', deviceName);
    await pickChoice(user, 'Product of the child devices to add', childProducts.productName);
    await clickWhenEnabled(user, 'Add 1 child device');
    await user.click(screen.getByRole('button', { name: 'Add child device' }));
    await fill(user, 'Name of child device 2', 'second');
    await pickChoice(user, 'Product of child device 2', vanishing.productName);
    await fleet.operator.ok(productCalls.deleteDeviceProduct, { productIds: [vanishing.productId] });
    await submit(user);
    await user.click(await screen.findByRole('button', { name: 'OK' }));
    const field = screen.getByRole('combobox', { name: 'Product of child device 2' });
    await waitFor(() => expect(problemOf(field)).toBe('Product does not exist'));
    expect(problemOf(screen.getByRole('combobox', { name: 'Product of child device 1' }))).toBe('');
    expect(await created(deviceName)).toEqual([]);
  });

  it('sends no children after switching to a product that is not a gateway', async () => {
    const deviceName = unique('changed');
    const user = userEvent.setup();
    openConsole(ADD);
    await choose(user, gateways);
    await fill(user, 'Device name', deviceName);
    await user.click(await screen.findByRole('button', { name: 'Add child device' }));
    await choose(user, fleet.product);
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Child devices' })).toBeNull());
    await submit(user);
    await user.click(await screen.findByRole('button', { name: 'OK' }));
    expect(await created(deviceName)).toMatchObject([{ childCount: 0 }]);
  });

  it('clears the application when a product of another tenant is selected', async () => {
    const foreign = await createFleet();
    const other = await createApplication(fleet.tenancyId);
    saveSession(await adminSession());
    const user = userEvent.setup();
    openConsole(ADD);
    await choose(user, fleet.product);
    await screen.findByText(/^Optional. Leave empty/);
    await pickChoice(user, 'Application', other.applicationName);
    const chosen = () =>
      screen.queryByText(other.applicationName, { selector: '.ant-select-content *, .ant-select-content' });
    await waitFor(() => expect(chosen()).toBeTruthy());
    await choose(user, foreign.product);
    await waitFor(() => expect(chosen()).toBeNull());
  });

  it('asks before discarding typed values', async () => {
    const user = userEvent.setup();
    const { router } = openConsole(ADD);
    await fill(user, 'Device name', 'half');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('Leave this page?')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/deviceMock/mockList'));
  });

  it('shows Chinese messages', async () => {
    localStorage.setItem('language', 'zh_CN');
    await startTexts();
    try {
      const user = userEvent.setup();
      openConsole(ADD);
      await user.click(await screen.findByLabelText('产品 Key'));
      await user.paste('nosuchproduct');
      await user.keyboard('{Enter}');
      expect(await screen.findByText('搜索产品结果为空')).toBeTruthy();
      await user.click(screen.getByRole('button', { name: '提交' }));
      await waitFor(() => expect(problemAt('产品 Key')).toBe('产品选择不能为空'));
    } finally {
      localStorage.setItem('language', 'en_US');
      await startTexts();
    }
  });
});

describe('childNames', () => {
  it('continues after existing numbers', () => {
    expect(childNames('lamp', 3, ['lamp-1', 'lamp-3'])).toEqual(['lamp-2', 'lamp-4', 'lamp-5']);
  });
  it('respects the maximum length of a name', () => {
    expect(childNames('x'.repeat(50), 10, []).at(-1)).toBe(`${'x'.repeat(47)}-10`);
  });
});
