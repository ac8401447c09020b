/** The path of every page, spelled as in the specification (`addAvaild`, `destoryAccount`). */

/** Spec §2: 0 creates (with id 0), 1 edits, 2 views. Route definitions pass the parameter name instead. */
type Status = 0 | 1 | 2 | '$status';
const form =
  (page: string) =>
  (id: string, status: Status): string =>
    `/add/${page}/${id}/${status}`;
const detail =
  (page: string) =>
  (id: number | string): string =>
    `/detail/${page}/${id}`;

export const homePath = '/message/messageChart';

export const tenantListPath = '/systemConfig/tenantList';
export const tenantPath = form('addTenant');
export const applicationListPath = '/systemConfig/applyList';
export const applicationPath = form('addApply');
export const roleListPath = '/systemConfig/roleList';
/** Status 0 with the id of an existing role creates a copy of that role. */
export const rolePath = form('addRole');
export const userListPath = '/systemConfig/userList';
export const userPath = form('addUser');
export const apiKeyListPath = '/systemConfig/apiKeyList';
export const auditLogPath = '/systemConfig/auditLog';
export const outboxPath = '/systemConfig/outbox';

export const categoryListPath = '/categoryConfig/categoryList';
export const categoryFormPath = '/add/addCategory';
/** The name only makes the URL readable; the page uses the id. */
export const categoryPath = (categoryId: string, categoryName: string): string =>
  `/detail/detailCategory/${categoryId}/${categoryName}`;

export const productListPath = '/productConfig/productList';
export const productFormPath = '/add/addProduct';
export const productPath = detail('detailProduct');

export const deviceListPath = '/productConfig/deviceList';
export const registerPath = '/add/addDevice';
export const devicePath = detail('detailDevice');
export const realTimeLogPath = detail('realTimeLog');
export const qrPath = detail('qrCode');
export const blackListPath = '/productConfig/blackDeviceList';
export const refusedListPath = '/productConfig/refusedList';

export const versionListPath = '/OTAUpdate/softwareVersion';
export const versionPath = form('addOta');
export const taskListPath = '/OTAUpdate/updateMission';
export const taskFormPath = '/add/addMission';
export const taskPath = detail('updLogDetail');

export const zoneListPath = '/avaConfig/availableList';
export const zoneFormPath = '/add/addAvaild';
export const zonePath = detail('detailAvaild');

export const syncListPath = '/dataSynch/dataShow';
export const syncZonePath = (zoneId: number | string, zoneName: string, status: number | string): string =>
  `/detail/detailSync/${zoneId}/${zoneName}/${status}`;
export const syncRecordPath = '/detail/dataDetail';

export const mockListPath = '/deviceMock/mockList';
export const mockFormPath = '/add/addMock';
export const mockPath = detail('detailMock');

export const personPaths = {
  center: '/person/personCenter',
  password: '/person/updatePassword',
  email: '/person/updateEmail',
  phone: '/person/updatePhone',
  bindPhone: '/person/bindPhone',
  destroy: '/person/destoryAccount',
} as const;
