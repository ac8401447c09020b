import { applicationCalls, Menu, modelCalls, productCalls } from '@device-center/contract';
import i18next from 'i18next';
import { ApiError } from '../../../api/api-error.ts';
import { send } from '../../../api/send.ts';
import { can, currentSession } from '../../../api/session.ts';
import type { GuideResources, ProductRole } from './resources.ts';
import { MissingMenu } from './step-permissions.ts';
import { type ProductPlan, templates } from './templates.ts';

/** Reads and stores what the guide has created so far. */
export type ResourceStore = { read: () => GuideResources; write: (change: Partial<GuideResources>) => void };

const NAMES_MAX = 200;
const ATTEMPTS_MAX = 5;

const hasErrorCode = (error: unknown, code: string): boolean => error instanceof ApiError && error.code === code;

/** The platform operator sees every tenant; the guide works in the operator's own. */
const ownTenancy = (): string => currentSession()?.tenancyId ?? '';
const isCreatedByUser = ({ creator }: { creator: string }): boolean => creator === currentSession()?.username;

const unusedName = (preferred: string, taken: string[]): string => {
  const known = new Set(taken.map((name) => name.toLowerCase()));
  let name = preferred;
  for (let suffix = 2; known.has(name.toLowerCase()); suffix++) name = `${preferred}-${suffix}`;
  return name;
};

/** Creates an object under an unused name. Tries another one if the name is taken before the call arrives. */
const createUnderUnusedName = async (
  taken: () => Promise<string[]>,
  preferred: string,
  takenCode: string,
  create: (name: string) => Promise<string>,
): Promise<{ id: string; name: string }> => {
  for (let attempt = 1; ; attempt++) {
    const name = unusedName(preferred, await taken());
    try {
      return { id: await create(name), name };
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !hasErrorCode(error, takenCode)) throw error;
    }
  }
};

const findApplications = async (searchValue: string) =>
  (await send(applicationCalls.queryApplicationList, { searchValue, tenancyId: ownTenancy(), pageSize: NAMES_MAX }))
    .list;

const firstApplication = async () => {
  const input = { tenancyId: ownTenancy(), enabled: 1, sortMode: 1, pageSize: 1 } as const;
  return (await send(applicationCalls.queryApplicationList, input)).list[0];
};

const ensureApplication = async (resources: ResourceStore): Promise<string | undefined> => {
  const { application, intended } = resources.read();
  if (application) return application.id;
  // A role that cannot list applications cannot create the mock device either, so the product gets no application.
  if (!can('application:list')) return undefined;
  const found = await firstApplication();
  if (found) {
    const own = found.applicationName === intended.application && isCreatedByUser(found);
    resources.write({ application: { id: found.applicationId, name: found.applicationName, own } });
    return found.applicationId;
  }
  if (!can('application:write')) throw new MissingMenu(Menu.applyList, i18next.t('guide:missingApplication'));
  const preferred = i18next.t('guide:nameApplication');
  const taken = async () => (await findApplications(preferred)).map(({ applicationName }) => applicationName);
  const created = await createUnderUnusedName(taken, preferred, 'APPLICATION_NAME_TAKEN', async (applicationName) => {
    resources.write({ intended: { ...resources.read().intended, application: applicationName } });
    return (await send(applicationCalls.addApplication, { applicationName })).applicationId;
  });
  resources.write({ application: { ...created, own: true } });
  return created.id;
};

const findProducts = async (productName: string) =>
  (await send(productCalls.queryDeviceProductList, { productName, tenancyId: ownTenancy(), pageSize: NAMES_MAX })).list;

/** Finds the product that was being created when the user left the page. */
const findInterruptedProduct = async (intended: string | undefined) => {
  if (intended === undefined) return undefined;
  const found = (await findProducts(intended)).find((row) => row.productName === intended && isCreatedByUser(row));
  return found && { id: found.productId, name: found.productName };
};

const createProduct = (
  resources: ResourceStore,
  role: ProductRole,
  plan: ProductPlan,
  applicationId: string | undefined,
) => {
  const preferred = plan.productName();
  const taken = async () => (await findProducts(preferred)).map(({ productName }) => productName);
  return createUnderUnusedName(taken, preferred, 'PRODUCT_NAME_TAKEN', async (productName) => {
    resources.write({ intended: { ...resources.read().intended, [role]: productName } });
    const { categoryId, nodeType, classId } = plan;
    const fields = { productName, categoryId, nodeType, classId, protocolId: 1, inheritFunctions: 0 } as const;
    return (await send(productCalls.addDeviceProduct, { ...fields, applicationId })).productId;
  });
};

const addFunctions = async (productId: string, plan: ProductPlan): Promise<void> => {
  try {
    await send(modelCalls.addProductFunctions, { productId, functions: plan.functions() }, { as: 'json' });
  } catch (error) {
    // The hub adds all functions or none: a call whose response was lost has added them.
    if (!hasErrorCode(error, 'SIGN_CODE_TAKEN')) throw error;
  }
};

const ensureProductWithFunctions = async (
  resources: ResourceStore,
  role: ProductRole,
  plan: ProductPlan,
  applicationId: string | undefined,
) => {
  const { [role]: known, intended } = resources.read();
  if (known?.complete) return;
  const product =
    known ??
    (await findInterruptedProduct(intended[role])) ??
    (await createProduct(resources, role, plan, applicationId));
  resources.write({ [role]: { ...product, complete: false } });
  await addFunctions(product.id, plan);
  resources.write({ [role]: { ...product, complete: true } });
};

/** Ensures an application, the product with its functions and, for a gateway, the product of its children. */
export const ensureProduct = async (resources: ResourceStore): Promise<void> => {
  const { product, child } = templates[resources.read().template];
  const applicationId = await ensureApplication(resources);
  await ensureProductWithFunctions(resources, 'product', product, applicationId);
  if (child) await ensureProductWithFunctions(resources, 'child', child, applicationId);
};
