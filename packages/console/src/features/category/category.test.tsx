import { categoryCalls, Menu, productCalls } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fill, openConsole, problemAt, recordRequests } from '../../../test/console.tsx';
import { admin, type Client, createUserWithMenus, type LoginAnswer, unique } from '../../../test/hub.ts';
import { saveSession } from '../../api/session.ts';

const STANDARD = { categoryId: 'std-lighting', categoryName: 'Lighting' };
const LIST = '/categoryConfig/categoryList';

describe('categories', () => {
  let session: LoginAnswer;
  let operator: Client;

  const createCategory = async (copyFrom = '') => {
    const categoryName = unique('cat-');
    const { tenancyId } = session;
    const { categoryId } = await operator.ok(categoryCalls.addCategory, { categoryName, tenancyId, copyFrom });
    return { categoryId, categoryName };
  };

  const createProductOf = async (categoryId: string) => {
    const sent = { productName: unique('prod'), nodeType: 1, protocolId: 1, classId: 1 } as const;
    return operator.ok(productCalls.addDeviceProduct, { ...sent, categoryId, tenancyId: session.tenancyId });
  };

  const openDeleteDialog = async (user: UserEvent, name: string) => {
    await user.click(await screen.findByRole('button', { name: `More actions: ${name}` }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    return within(await screen.findByRole('dialog'));
  };

  beforeAll(async () => {
    operator = await admin();
    ({ session } = await createUserWithMenus([Menu.categoryList, Menu.productList]));
  });
  beforeEach(() => saveSession(session));

  // Spec 2.9
  it('keeps the filters of the list in the URL', async () => {
    const { categoryName } = await createCategory();
    const user = userEvent.setup();
    const { router } = openConsole(`${LIST}?standard=0`);
    expect(await screen.findByText(categoryName)).toBeTruthy();
    expect(screen.queryByText(STANDARD.categoryName)).toBeNull();
    await fill(user, 'Name or ID', categoryName);
    await waitFor(() => expect(router.state.location.searchStr).toBe(`?standard=0&searchValue=${categoryName}`));
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    await waitFor(() => expect(router.state.location.searchStr).toBe(''));
    expect(await screen.findByText(STANDARD.categoryName)).toBeTruthy();
  });

  it('lists standard categories read-only for a user of a tenant', async () => {
    const user = userEvent.setup();
    openConsole(`${LIST}?standard=1`);
    const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: `Select ${STANDARD.categoryName}` });
    expect(box.disabled).toBe(true);
    const row = within(box.closest('tr') as HTMLElement);
    expect(row.getByRole('link', { name: 'View' })).toBeTruthy();
    expect(row.queryByRole('link', { name: 'Edit' })).toBeNull();
    await user.click(row.getByRole('button', { name: `More actions: ${STANDARD.categoryName}` }));
    expect(await screen.findByRole('menuitem', { name: 'Create category from this' })).toBeTruthy();
    expect(screen.queryByRole('menuitem', { name: 'Delete' })).toBeNull();
  });

  // Spec 2.36
  it('redirects from the form of a read-only category to its page without actions', async () => {
    const { router } = openConsole(`/add/addCategory?categoryId=${STANDARD.categoryId}`);
    expect(await screen.findByText(/Standard categories are maintained by the platform/)).toBeTruthy();
    expect(router.state.location.pathname).toBe(`/detail/detailCategory/${STANDARD.categoryId}/Lighting`);
    expect(screen.queryByRole('button', { name: /^More actions/ })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull();
  });

  // Spec 1.5, 2.30
  it('creates a category from a standard one and opens its functions', async () => {
    const categoryName = unique('new-');
    const user = userEvent.setup();
    const { router } = openConsole(`/add/addCategory?copyFrom=${STANDARD.categoryId}`);
    await fill(user, 'Category name', '冷库');
    expect(await screen.findByText('Length 4, allowed 4-30')).toBeTruthy();
    await fill(user, 'Description', '中a');
    expect(await screen.findByText('4 / 100 bytes')).toBeTruthy();
    await user.clear(screen.getByLabelText('Category name'));
    await fill(user, 'Category name', categoryName);
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    await user.click(await screen.findByRole('button', { name: 'OK' }));
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/detail\/detailCategory\//));
    expect(router.state.location.pathname).toContain(categoryName);
    const { list } = await operator.ok(categoryCalls.getCategoryList, { searchValue: categoryName });
    const origin = await operator.ok(categoryCalls.getCategoryDetails, { categoryId: STANDARD.categoryId });
    expect(list).toMatchObject([
      { categoryName, standard: 0, tenancyId: session.tenancyId, propertyCount: origin.propertyCount },
    ]);
  });

  it("shows the hub's error at the name field", async () => {
    const { categoryName } = await createCategory();
    const user = userEvent.setup();
    openConsole('/add/addCategory');
    await fill(user, 'Category name', categoryName);
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    expect(await screen.findByRole('dialog', { name: 'submit failed' })).toBeTruthy();
    await waitFor(() => expect(problemAt('Category name')).toBe('A category with this name already exists'));
  });

  it('shows that products use a category, with a link to them, instead of deleting it', async () => {
    const { categoryId, categoryName } = await createCategory();
    await createProductOf(categoryId);
    const user = userEvent.setup();
    const sent = recordRequests();
    openConsole(`${LIST}?searchValue=${categoryName}`);
    const dialog = await openDeleteDialog(user, categoryName);
    expect(dialog.getByText(/A category that is used by products cannot be deleted/)).toBeTruthy();
    expect(dialog.getByRole('link', { name: '1 product' }).getAttribute('href')).toContain(`categoryId=${categoryId}`);
    expect(dialog.queryByRole('button', { name: 'Delete' })).toBeNull();
    expect(sent.filter(({ call }) => call === 'deleteCategory')).toEqual([]);
  });

  it("shows the hub's error when a product was added after the list was loaded", async () => {
    const { categoryId, categoryName } = await createCategory();
    const user = userEvent.setup();
    openConsole(`${LIST}?searchValue=${categoryName}`);
    const dialog = await openDeleteDialog(user, categoryName);
    await createProductOf(categoryId);
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    const reason = `The category is used by products and cannot be deleted: ${categoryName} (1 product)`;
    await waitFor(() => expect(dialog.getByRole('alert').textContent).toBe(reason));
    expect((await operator.ok(categoryCalls.getCategoryDetails, { categoryId })).categoryName).toBe(categoryName);
  });

  it('deletes several categories at once', async () => {
    const created = [await createCategory(), await createCategory()];
    const user = userEvent.setup();
    const sent = recordRequests();
    openConsole(`${LIST}?standard=0&pageSize=100`);
    for (const { categoryName } of created)
      await user.click(await screen.findByRole('checkbox', { name: `Select ${categoryName}` }));
    const bar = within(screen.getByRole('toolbar', { name: '2 selected' }));
    await user.click(bar.getByRole('button', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('Delete 2 categories?')).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    for (const { categoryName } of created) await waitFor(() => expect(screen.queryByText(categoryName)).toBeNull());
    expect(sent.filter(({ call }) => call === 'deleteBatchCategory')).toHaveLength(1);
    for (const { categoryId } of created)
      expect(await operator.error(categoryCalls.getCategoryDetails, { categoryId })).toMatchObject({
        code: 'CATEGORY_NOT_FOUND',
      });
  });

  it('leaves the page of a deleted category without an error', async () => {
    const { categoryId, categoryName } = await createCategory();
    const user = userEvent.setup();
    const { router } = openConsole(`/detail/detailCategory/${categoryId}/${categoryName}`);
    await user.click(await screen.findByRole('button', { name: `More actions: ${categoryName}` }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(router.state.location.pathname).toBe(LIST));
    expect(await screen.findByText(STANDARD.categoryName)).toBeTruthy();
    expect(screen.queryByText(categoryName)).toBeNull();
    expect(screen.queryByText('Category does not exist')).toBeNull();
  });

  it('shows that a category does not exist, with a link back', async () => {
    openConsole('/detail/detailCategory/nothing/here');
    expect(await screen.findByText('Category does not exist')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Back' }).getAttribute('href')).toBe(LIST);
  });
});
