import type { notFoundSearch } from './app/not-found-search.ts';
import type { loginSearch } from './features/account/login-search.ts';
import type { apiKeyListSearch } from './features/api-key/api-key-search.ts';
import type { applicationFormSearch, applicationListSearch } from './features/application/application-search.ts';
import type { auditListSearch } from './features/audit/audit-search.ts';
import type { categoryFormSearch, categoryListSearch } from './features/category/category-search.ts';
import type { blackListSearch } from './features/device/black/black-search.ts';
import type { deviceDetailSearch } from './features/device/detail/device-detail-search.ts';
import type { deviceListSearch } from './features/device/list/device-search.ts';
import type { registerSearch } from './features/device/register/register-search.ts';
import type { rejectedListSearch } from './features/device/rejected/rejected-search.ts';
import type { versionFormSearch, versionListSearch } from './features/firmware/firmware-search.ts';
import type { homeSearch } from './features/home/home-search.ts';
import type { addMockSearch } from './features/mock/create/add-mock-search.ts';
import type { mockListSearch } from './features/mock/list/mock-search.ts';
import type { panelSearch } from './features/mock/panel/panel-search.ts';
import type { taskDetailSearch, taskFormSearch, taskListSearch } from './features/ota/ota-search.ts';
import type { outboxListSearch } from './features/outbox/outbox-search.ts';
import type { productDetailSearch, productFormSearch, productListSearch } from './features/product/product-search.ts';
import type { qrSearch } from './features/qr/qr-search.ts';
import type { roleFormSearch, roleListSearch } from './features/role/role-search.ts';
import type { countListSearch, recordListSearch, recordSearch } from './features/sync/sync-search.ts';
import type { tenantListSearch } from './features/tenancy/tenant-search.ts';
import type { userFormSearch, userListSearch } from './features/user/user-search.ts';
import type { zoneFormSearch, zoneListSearch } from './features/zone/zone-search.ts';
import type { NoSearch, Path, PathOf, SearchOf } from './ui/routing.ts';

// The path of every page, spelled as in the specification (`addAvaild`, `destoryAccount`), with the search parameters
// that the page reads. Only types are imported: pages are loaded when they are opened.

/** Spec §2: 0 creates (with id 0), 1 edits, 2 views. Route definitions pass the parameter name instead. */
type Status = 0 | 1 | 2 | '$status';
const form =
  <Search = NoSearch>(page: string) =>
  (id: string, status: Status) =>
    `/add/${page}/${id}/${status}` as Path<Search>;
const detail =
  <Search = NoSearch>(page: string) =>
  (id: number | string) =>
    `/detail/${page}/${id}` as Path<Search>;

export const loginPath = '/' as PathOf<typeof loginSearch>;
export const recoverPath = '/validateAccount' as Path;
/** Redirects to the first page that the user may open. */
export const landingPath = '/home' as Path;
export const notFoundPath = '/404' as PathOf<typeof notFoundSearch>;

export const homePath = '/message/messageChart' as PathOf<typeof homeSearch>;

export const tenantListPath = '/systemConfig/tenantList' as PathOf<typeof tenantListSearch>;
export const tenantPath = form('addTenant');
export const applicationListPath = '/systemConfig/applyList' as PathOf<typeof applicationListSearch>;
export const applicationPath = form<SearchOf<typeof applicationFormSearch>>('addApply');
export const roleListPath = '/systemConfig/roleList' as PathOf<typeof roleListSearch>;
/** Status 0 with the id of an existing role creates a copy of that role. */
export const rolePath = form<SearchOf<typeof roleFormSearch>>('addRole');
export const userListPath = '/systemConfig/userList' as PathOf<typeof userListSearch>;
export const userPath = form<SearchOf<typeof userFormSearch>>('addUser');
export const apiKeyListPath = '/systemConfig/apiKeyList' as PathOf<typeof apiKeyListSearch>;
export const auditLogPath = '/systemConfig/auditLog' as PathOf<typeof auditListSearch>;
export const outboxPath = '/systemConfig/outbox' as PathOf<typeof outboxListSearch>;

export const categoryListPath = '/categoryConfig/categoryList' as PathOf<typeof categoryListSearch>;
export const categoryFormPath = '/add/addCategory' as PathOf<typeof categoryFormSearch>;
/** The name only makes the URL readable; the page uses the id. */
export const categoryPath = (categoryId: string, categoryName: string) =>
  `/detail/detailCategory/${categoryId}/${categoryName}` as Path;

export const productListPath = '/productConfig/productList' as PathOf<typeof productListSearch>;
export const productFormPath = '/add/addProduct' as PathOf<typeof productFormSearch>;
export const productPath = detail<SearchOf<typeof productDetailSearch>>('detailProduct');

export const deviceListPath = '/productConfig/deviceList' as PathOf<typeof deviceListSearch>;
export const registerPath = '/add/addDevice' as PathOf<typeof registerSearch>;
export const devicePath = detail<SearchOf<typeof deviceDetailSearch>>('detailDevice');
export const realTimeLogPath = detail('realTimeLog');
export const qrPath = detail<SearchOf<typeof qrSearch>>('qrCode');
export const blackListPath = '/productConfig/blackDeviceList' as PathOf<typeof blackListSearch>;
export const refusedListPath = '/productConfig/refusedList' as PathOf<typeof rejectedListSearch>;

export const versionListPath = '/OTAUpdate/softwareVersion' as PathOf<typeof versionListSearch>;
export const versionPath = form<SearchOf<typeof versionFormSearch>>('addOta');
export const taskListPath = '/OTAUpdate/updateMission' as PathOf<typeof taskListSearch>;
export const taskFormPath = '/add/addMission' as PathOf<typeof taskFormSearch>;
export const taskPath = detail<SearchOf<typeof taskDetailSearch>>('updLogDetail');

export const zoneListPath = '/avaConfig/availableList' as PathOf<typeof zoneListSearch>;
export const zoneFormPath = '/add/addAvaild' as PathOf<typeof zoneFormSearch>;
export const zonePath = detail('detailAvaild');

export const syncListPath = '/dataSynch/dataShow' as PathOf<typeof countListSearch>;
export const syncZonePath = (zoneId: number | string, zoneName: string, status: number | string) =>
  `/detail/detailSync/${zoneId}/${zoneName}/${status}` as PathOf<typeof recordListSearch>;
export const syncRecordPath = '/detail/dataDetail' as PathOf<typeof recordSearch>;

export const mockListPath = '/deviceMock/mockList' as PathOf<typeof mockListSearch>;
export const mockFormPath = '/add/addMock' as PathOf<typeof addMockSearch>;
export const mockPath = detail<SearchOf<typeof panelSearch>>('detailMock');

export const personPaths = {
  center: '/person/personCenter' as Path,
  password: '/person/updatePassword' as Path,
  email: '/person/updateEmail' as Path,
  phone: '/person/updatePhone' as Path,
  bindPhone: '/person/bindPhone' as Path,
  destroy: '/person/destoryAccount' as Path,
};
