import { categoryCalls, Menu, productCalls } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fill, openConsole, problemAt, recordRequests } from '../../../test/console.tsx';
import { admin, type Client, createUserWithMenus, type LoginAnswer, unique } from '../../../test/hub.ts';
import { saveSession } from '../../api/session.ts';

const CATEGORY = { categoryId: 'std-lighting', categoryName: 'Lighting' };
const LIST = '/productConfig/productList';

describe('products', () => {
  let session: LoginAnswer;
  let operator: Client;

  const createProduct = async (more: { nodeType?: 1 | 2 | 3; description?: string; categoryId?: string } = {}) => {
    const productName = unique('prod');
    const { productId } = await operator.ok(productCalls.addDeviceProduct, {
      productName,
      categoryId: CATEGORY.categoryId,
      nodeType: 1,
      protocolId: 1,
      classId: 1,
      tenancyId: session.tenancyId,
      ...more,
    });
    return { productId, productName };
  };

  const chooseClass = async (user: UserEvent) => {
    await user.click(screen.getByLabelText('Product type'));
    await user.click(await screen.findByTitle('Home'));
  };

  const secretIn = (dialog: HTMLElement): string => within(dialog).getByText(/^\S{16,}$/).textContent ?? '';

  beforeAll(async () => {
    operator = await admin();
    ({ session } = await createUserWithMenus([Menu.productList, Menu.categoryList]));
  });
  beforeEach(() => saveSession(session));

  // Spec 2.10
  it('keeps filters and layout of the list in the URL', async () => {
    const gateway = await createProduct({ nodeType: 2 });
    const monomer = await createProduct();
    const user = userEvent.setup();
    const { router } = openConsole(`${LIST}?nodeType=2`);
    expect(await screen.findByText(gateway.productName)).toBeTruthy();
    expect(screen.queryByText(monomer.productName)).toBeNull();
    await user.click(screen.getByText('Cards'));
    await waitFor(() => expect(router.state.location.searchStr).toBe('?nodeType=2&view=cards'));
    expect(screen.queryByRole('table')).toBeNull();
    expect(await screen.findByText(gateway.productName)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    await waitFor(() => expect(router.state.location.searchStr).toBe('?view=cards'));
    expect(await screen.findByText(monomer.productName)).toBeTruthy();
  });

  it('shows in table and cards whether a category is standard or custom', async () => {
    const standard = await createProduct();
    const { tenancyId } = session;
    const categoryName = unique('cat');
    const { categoryId } = await operator.ok(categoryCalls.addCategory, { categoryName, tenancyId });
    const custom = await createProduct({ categoryId });
    for (const view of ['', '?view=cards']) {
      const { unmount } = openConsole(`${LIST}${view}`);
      const entry = async (name: string) =>
        (await screen.findByText(name)).closest(view === '' ? 'tr' : '.dc-product-card');
      expect((await entry(standard.productName))?.textContent).toContain('Lighting Standard');
      expect((await entry(custom.productName))?.textContent).toContain(`${categoryName} Custom`);
      unmount();
    }
  });

  it('shows the messages of the contract for required fields', async () => {
    const user = userEvent.setup();
    const sent = recordRequests();
    openConsole('/add/addProduct');
    await screen.findByLabelText('Product name');
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    for (const label of ['Product name', 'Product type', 'Category'])
      await waitFor(() => expect(problemAt(label)).toBe('The input cannot be empty, please re-enter'));
    expect(sent.filter(({ call }) => call === 'addDeviceProduct')).toEqual([]);
  });

  // Spec 2.31
  it('shows the inherited functions, and the secret once', async () => {
    const productName = unique('lamp');
    const user = userEvent.setup();
    const { router } = openConsole(`/add/addProduct?categoryId=${CATEGORY.categoryId}`);
    const { total, list } = await operator.ok(categoryCalls.getOpenFunctions, { categoryId: CATEGORY.categoryId });
    const functions = within(await screen.findByRole('list', { name: `${total} functions will be copied` }));
    for (const { signCode } of list) expect(functions.getByText(signCode)).toBeTruthy();
    await fill(user, 'Product name', productName);
    await chooseClass(user);
    await user.click(screen.getByRole('button', { name: 'Submit' }));

    const dialog = await screen.findByRole('dialog', { name: 'Product created' });
    const secret = secretIn(dialog);
    const { list: made } = await operator.ok(productCalls.queryDeviceProductList, { searchValue: productName });
    expect(made).toMatchObject([{ productName, functionCount: total, tenancyId: session.tenancyId }]);
    const { productId = '' } = made[0] ?? {};
    expect(within(dialog).getByText(productId)).toBeTruthy();
    expect(within(dialog).queryByRole('button', { name: 'Close' })).toBeNull();
    await user.keyboard('{Escape}');
    expect(screen.getByText(secret)).toBeTruthy();

    await user.click(within(dialog).getByRole('button', { name: 'I have stored the secret' }));
    await waitFor(() => expect(router.state.location.pathname).toBe(`/detail/detailProduct/${productId}`));
    expect(await screen.findByRole('heading', { name: productName })).toBeTruthy();
    expect(document.body.textContent).not.toContain(secret);
  });

  it('resets the secret after explaining the effect', async () => {
    const { productId, productName } = await createProduct();
    const user = userEvent.setup();
    const sent = recordRequests();
    openConsole(`/detail/detailProduct/${productId}`);
    await user.click(await screen.findByRole('button', { name: /^More actions: / }));
    await user.click(await screen.findByRole('menuitem', { name: 'Reset secret' }));
    const question = within(await screen.findByRole('dialog', { name: `Reset the product secret of ${productName}?` }));
    expect(question.getByText('Devices that use their own device secret are not affected.')).toBeTruthy();
    expect(sent.filter(({ call }) => call === 'resetProductSecret')).toEqual([]);
    await user.click(question.getByRole('button', { name: 'Reset secret' }));
    const shown = await screen.findByRole('dialog', { name: 'Product secret reset' });
    const secret = secretIn(shown);
    await user.click(within(shown).getByRole('button', { name: 'I have stored the secret' }));
    await waitFor(() => expect(document.body.textContent).not.toContain(secret));
  });

  it('edits changeable fields and shows the others read-only', async () => {
    const { productId } = await createProduct({ description: 'before' });
    const productName = unique('named');
    const user = userEvent.setup();
    const { router } = openConsole(`/add/addProduct?productId=${productId}`);
    const name = await screen.findByLabelText('Product name');
    expect(screen.getByText(/cannot be changed after creation/)).toBeTruthy();
    for (const label of ['Category', 'Node type', 'Protocol']) expect(screen.queryByLabelText(label)).toBeNull();
    await user.clear(name);
    await fill(user, 'Product name', productName);
    await user.click(screen.getByRole('switch', { name: 'Allow MD5 signatures' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await user.click(await screen.findByRole('button', { name: 'OK' }));
    await waitFor(() => expect(router.state.location.pathname).toBe(`/detail/detailProduct/${productId}`));
    expect(await operator.ok(productCalls.getDeviceProductDetails, { productId })).toMatchObject({
      productName,
      description: 'before',
      allowMd5: 0,
      allowRegister: 1,
    });
  });

  it('deletes one product, and several from the cards', async () => {
    const [first, second, third] = [await createProduct(), await createProduct(), await createProduct()];
    const user = userEvent.setup();
    openConsole(`${LIST}?pageSize=100&view=cards`);
    await user.click(await screen.findByRole('button', { name: `More actions: ${first.productName}` }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    const one = within(await screen.findByRole('dialog'));
    expect(one.getByText(`Delete the product "${first.productName}"?`)).toBeTruthy();
    await user.click(one.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByText(first.productName)).toBeNull());
    for (const { productName } of [second, third])
      await user.click(screen.getByRole('checkbox', { name: `Select ${productName}` }));
    const bar = within(screen.getByRole('toolbar', { name: '2 selected' }));
    await user.click(bar.getByRole('button', { name: 'Delete' }));
    const two = within(await screen.findByRole('dialog'));
    expect(two.getByText('Delete 2 products?')).toBeTruthy();
    await user.click(two.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByText(third.productName)).toBeNull());
    for (const { productId } of [first, second, third])
      expect(await operator.error(productCalls.getDeviceProductDetails, { productId })).toMatchObject({
        code: 'PRODUCT_NOT_FOUND',
      });
  });
});
