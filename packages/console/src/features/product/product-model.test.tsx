import { type FunctionWithId, Menu, modelCalls, productCalls } from '@device-center/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openConsole } from '../../../test/console.tsx';
import { admin, type Client, createUserWithMenus, type LoginAnswer, unique } from '../../../test/hub.ts';
import { storedFunctionOf } from '../../api/read-model.ts';
import { saveSession } from '../../api/session.ts';

describe('model and versions of a product', () => {
  let session: LoginAnswer;
  let operator: Client;

  const functionsOf = async (productId: string): Promise<FunctionWithId[]> =>
    (await operator.ok(modelCalls.getDeviceFunctionDefinitionList, { productId })).map(storedFunctionOf);

  /** Creates a product: version 1 has all functions of the category, version 2 lacks the first. */
  const productWithTwoVersions = async () => {
    const sent = { categoryId: 'std-lighting', nodeType: 1, protocolId: 1, classId: 1 } as const;
    const { productId } = await operator.ok(productCalls.addDeviceProduct, {
      productName: unique('prod'),
      ...sent,
      tenancyId: session.tenancyId,
    });
    const [first, ...rest] = await functionsOf(productId);
    await operator.ok(modelCalls.saveProductModel, { productId, modelVersion: 1, functions: rest });
    return { productId, page: `/detail/detailProduct/${productId}`, removed: first?.signCode ?? '', rest };
  };

  beforeAll(async () => {
    operator = await admin();
    ({ session } = await createUserWithMenus([Menu.productList]));
  });
  beforeEach(() => saveSession(session));

  // Spec 2.37
  it('compares two selected versions, which are stored in the URL', async () => {
    const { page, removed } = await productWithTwoVersions();
    const user = userEvent.setup();
    const { router } = openConsole(`${page}?tab=versions`);
    await user.click(await screen.findByRole('checkbox', { name: 'Select version 2 to compare' }));
    await user.click(screen.getByRole('checkbox', { name: 'Select version 1 to compare' }));
    await waitFor(() => expect(router.state.location.searchStr).toBe('?tab=versions&from=1&to=2'));
    expect(await screen.findByRole('heading', { name: 'Version 1 compared with version 2' })).toBeTruthy();
    expect(await screen.findByText(removed)).toBeTruthy();
  });

  it('handles two selections before the next render', async () => {
    const { page } = await productWithTwoVersions();
    const { router } = openConsole(`${page}?tab=versions`);
    const second = await screen.findByRole('checkbox', { name: 'Select version 2 to compare' });
    const first = screen.getByRole('checkbox', { name: 'Select version 1 to compare' });
    act(() => {
      second.click();
      first.click();
    });
    await waitFor(() => expect(router.state.location.searchStr).toBe('?tab=versions&from=1&to=2'));
    expect(await screen.findByRole('heading', { name: 'Version 1 compared with version 2' })).toBeTruthy();
  });

  it('restores a version after showing the changes', async () => {
    const { productId, page, removed, rest } = await productWithTwoVersions();
    const user = userEvent.setup();
    openConsole(`${page}?tab=versions`);
    await user.click(await screen.findByRole('button', { name: 'More actions: Version 1' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Restore this version' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Restore version 1?' }));
    expect(await dialog.findByText(removed)).toBeTruthy();
    expect(await functionsOf(productId)).toHaveLength(rest.length);
    await user.click(dialog.getByRole('button', { name: 'Restore version' }));
    expect(await screen.findByText('Restored from version 1')).toBeTruthy();
    expect((await functionsOf(productId)).map(({ signCode }) => signCode)).toEqual([
      removed,
      ...rest.map(({ signCode }) => signCode),
    ]);
  });

  it('shows the functions of a version', async () => {
    const { page, removed } = await productWithTwoVersions();
    openConsole(`${page}?tab=versions&version=1`);
    const drawer = within(await screen.findByRole('dialog', { name: 'Functions of version 1' }));
    expect(await drawer.findByText(removed)).toBeTruthy();
  });

  it('compares the model with the category', async () => {
    const { page, removed } = await productWithTwoVersions();
    const user = userEvent.setup();
    openConsole(`${page}?tab=model`);
    await user.click(await screen.findByRole('button', { name: 'Compare with category' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'Differences between this product and Lighting' }));
    expect(await drawer.findByText(removed)).toBeTruthy();
  });

  it('generates code in the format of the URL', async () => {
    const { page, rest } = await productWithTwoVersions();
    const user = userEvent.setup();
    const { router } = openConsole(`${page}?tab=code&format=typescript`);
    const code = await screen.findByRole('region', { name: /^TypeScript: / });
    for (const { signCode } of rest) expect(code.textContent).toContain(signCode);
    await user.click(screen.getByText('C header'));
    await waitFor(() => expect(router.state.location.searchStr).toBe('?tab=code&format=cHeader'));
    expect((await screen.findByRole('region', { name: /^C header: / })).textContent).toContain('#');
  });

  it('explains how devices are added while there are none', async () => {
    const { page } = await productWithTwoVersions();
    openConsole(`${page}?tab=devices`);
    expect(await screen.findByText('No devices yet')).toBeTruthy();
    expect(screen.getByText(/after their first login/)).toBeTruthy();
  });
});
