import { accountErrors } from './account-errors.ts';
import { fill, type Language, type Text } from './language.ts';
import { deviceCodes } from './mqtt/codes.ts';
import { otaErrors } from './ota-errors.ts';
import { quotaErrors } from './quota-errors.ts';
import { storedErrors } from './stored-errors.ts';
import { syncErrors } from './sync-errors.ts';
import { zoneErrors } from './zone-errors.ts';

type ErrorEntry = Text & { status: number };

/**
 * Every error of the hub: a stable code, its HTTP status and its message in both languages. English messages given by
 * the specification must not be changed.
 */
export const errors = {
  // Device protocol codes; those that users see too have a message of their own below.
  ...deviceCodes,
  ...otaErrors,
  ...zoneErrors,
  ...syncErrors,
  ...storedErrors,
  ...quotaErrors,
  BAD_INPUT: { status: 400, zh_CN: '输入有误，请检查后重试', en_US: 'Invalid input, please check it and try again' },
  MALFORMED_BODY: { status: 400, zh_CN: '请求内容无法解析', en_US: 'The request body cannot be parsed' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    zh_CN: '不支持的内容类型，请使用表单、JSON 或 multipart',
    en_US: 'Unsupported content type: send a form, JSON or multipart',
  },
  SELECT_AT_LEAST_ONE: { status: 400, zh_CN: '请至少选择一项', en_US: 'Select at least one item' },
  PICTURE_UNREADABLE: {
    status: 400,
    zh_CN: '图片内容不是 jpg、jpeg、png 或 bmp',
    en_US: 'The image must be a jpg, jpeg, png or bmp file',
  },

  PRODUCT_PICTURE_UNREADABLE: {
    status: 400,
    zh_CN: '图片内容不是 jpg 或 png',
    en_US: 'The image must be a jpg or png file',
  },

  EVENT_NO_PARAMETER: { status: 400, zh_CN: '事件至少需要一个参数', en_US: 'An event requires at least one parameter' },
  PICTURE_DIMENSIONS_TOO_LARGE: {
    status: 400,
    zh_CN: '图片的宽和高不能超过 {max} 像素',
    en_US: 'The image can be at most {max} pixels wide and high',
  },

  TOKEN_INVALID: { status: 401, zh_CN: 'token失效,请重新登录', en_US: 'Token expired, please log in again' },
  ...accountErrors,
  TOO_MANY_REQUESTS: {
    status: 429,
    zh_CN: '请求过于频繁，请稍后再试',
    en_US: 'Too many requests, please try again later',
  },

  FORBIDDEN: { status: 403, zh_CN: '没有权限执行此操作', en_US: 'You do not have permission to do this' },
  FIRST_LOGIN: {
    status: 403,
    zh_CN: '首次登录请先修改密码',
    en_US: 'Change your initial password first',
  },
  TENANCY_CLOSED: { status: 403, zh_CN: '租户已被停用', en_US: 'The tenant is disabled' },
  OUTBOX_REVEAL_FORBIDDEN: {
    status: 403,
    zh_CN: '只有拥有全部菜单的平台管理员才能查看消息中的验证码或密码',
    en_US: 'Only a platform administrator with all menus can view the code or password in a message',
  },
  USER_HAS_MORE_RIGHTS: {
    status: 403,
    zh_CN: '该用户拥有您没有的菜单',
    en_US: 'This user has menus that you do not have',
  },
  MENU_NOT_YOURS: {
    status: 403,
    zh_CN: '不能授予自己没有的菜单',
    en_US: 'You can only grant menus that you have yourself',
  },
  MENU_PLATFORM_ONLY: {
    status: 403,
    zh_CN: '该菜单仅限平台租户使用',
    en_US: 'This menu is available to the platform tenant only',
  },
  STANDARD_CATEGORY_PROTECTED: {
    status: 403,
    zh_CN: '标准品类只有平台可以修改',
    en_US: 'Only the platform can change standard categories',
  },

  ENDPOINT_NOT_FOUND: { status: 404, zh_CN: '接口不存在', en_US: 'Endpoint does not exist' },
  TENANCY_NOT_FOUND: { status: 404, zh_CN: '租户不存在', en_US: 'Tenant does not exist' },
  APPLICATION_NOT_FOUND: { status: 404, zh_CN: '应用不存在', en_US: 'Application does not exist' },
  ROLE_NOT_FOUND: { status: 404, zh_CN: '角色不存在', en_US: 'Role does not exist' },
  USER_NOT_FOUND: { status: 404, zh_CN: '用户不存在', en_US: 'User does not exist' },
  SESSION_NOT_FOUND: { status: 404, zh_CN: '会话不存在', en_US: 'Session does not exist' },
  MENU_NOT_FOUND: { status: 404, zh_CN: '菜单不存在', en_US: 'Menu does not exist' },
  OUTBOX_NOT_FOUND: { status: 404, zh_CN: '消息不存在', en_US: 'Message does not exist' },
  CATEGORY_NOT_FOUND: { status: 404, zh_CN: '品类不存在', en_US: 'Category does not exist' },
  PRODUCT_NOT_FOUND: { status: 404, zh_CN: '产品不存在', en_US: 'Product does not exist' },
  FUNCTION_NOT_FOUND: { status: 404, zh_CN: '功能不存在', en_US: 'Function does not exist' },
  MODEL_VERSION_NOT_FOUND: {
    status: 404,
    zh_CN: '该版本不存在或已不再保留',
    en_US: 'The version does not exist or is no longer stored',
  },
  DEVICE_NOT_FOUND: { status: 404, zh_CN: '设备不存在', en_US: 'Device does not exist' },
  FILE_NOT_FOUND: { status: 404, zh_CN: '文件不存在', en_US: 'File does not exist' },

  DEVICE_OFFLINE: {
    status: 409,
    zh_CN: '设备不在线，不可用',
    en_US: 'Device not online, not available',
  },
  DEVICE_TIMEOUT: {
    status: 504,
    zh_CN: '设备未在规定时间内响应',
    en_US: 'The device did not respond in time',
  },
  DEVICE_REFUSED: {
    status: 409,
    zh_CN: '设备拒绝执行：{code} {message}',
    en_US: 'The device rejected the command: {code} {message}',
  },
  IDS_SLOWED: {
    status: 429,
    zh_CN: '多次使用已被占用的标识，请在 {seconds} 秒后重试',
    en_US: 'Too many attempts to use an existing ID, try again in {seconds} s',
  },
  DEVICE_ID_TAKEN: { status: 409, zh_CN: '设备 ID 已被使用', en_US: 'This device ID is already in use' },
  PRODUCT_WITHOUT_APPLICATION: {
    status: 409,
    zh_CN: '请选择应用：该产品未设置默认应用',
    en_US: 'Select an application: the product has no default application',
  },
  PRODUCT_NOT_FOR_MOCK: {
    status: 409,
    zh_CN: '只能选择单品或网关产品',
    en_US: 'Only monomer and gateway products can be selected',
  },
  PRODUCT_NOT_FOR_CHILD: {
    status: 409,
    zh_CN: '子设备须选择同一租户的网关子设备产品',
    en_US: 'A child device requires a gateway child product of the same tenant',
  },
  MOCK_NOT_A_GATEWAY: {
    status: 409,
    zh_CN: '只有网关可以挂载子设备',
    en_US: 'Only a gateway can have child devices',
  },
  MOCK_CHILDREN_FULL: {
    status: 409,
    zh_CN: '最多挂载 {max} 个子设备',
    en_US: 'At most {max} child devices can be mounted',
  },
  MOCK_RUNS_FULL: {
    status: 409,
    zh_CN: '每个租户最多可有 {max} 台模拟设备由平台运行',
    en_US: 'A tenant can have at most {max} mock devices running on the platform',
  },
  COMMANDS_TOO_MANY: {
    status: 429,
    zh_CN: '该设备等待响应的命令已达 {max} 条，请稍后再试',
    en_US: 'The device has {max} pending commands, please try again later',
  },
  FUNCTION_NOT_WRITABLE: {
    status: 409,
    zh_CN: '该属性只读，不能设置',
    en_US: 'This property is read-only and cannot be set',
  },
  FUNCTION_NOT_READABLE: {
    status: 409,
    zh_CN: '该功能不能读取',
    en_US: 'This function cannot be read',
  },
  FUNCTION_NOT_CALLABLE: {
    status: 409,
    zh_CN: '事件由设备上报，不能下发',
    en_US: 'Events are reported by devices and cannot be sent to them',
  },
  APPLICATION_OF_OTHER_TENANCY: {
    status: 409,
    zh_CN: '应用不属于设备所在的租户',
    en_US: "The application does not belong to the device's tenant",
  },

  USERNAME_TAKEN: { status: 409, zh_CN: '账号已存在', en_US: 'This account already exists' },
  EMAIL_TAKEN: { status: 409, zh_CN: '邮箱已被使用', en_US: 'This e-mail is already in use' },
  PHONE_TAKEN: { status: 409, zh_CN: '手机号已被使用', en_US: 'This phone is already in use' },
  TENANCY_NAME_TAKEN: { status: 409, zh_CN: '租户名称已存在', en_US: 'A tenant with this name already exists' },
  APPLICATION_NAME_TAKEN: {
    status: 409,
    zh_CN: '该租户下已有同名应用',
    en_US: 'The tenant already has an application with this name',
  },
  ROLE_NAME_TAKEN: {
    status: 409,
    zh_CN: '该租户下已有同名角色',
    en_US: 'The tenant already has a role with this name',
  },
  CATEGORY_NAME_TAKEN: { status: 409, zh_CN: '已有同名品类', en_US: 'A category with this name already exists' },
  PRODUCT_NAME_TAKEN: {
    status: 409,
    zh_CN: '该租户下已有同名产品',
    en_US: 'The tenant already has a product with this name',
  },
  SIGN_CODE_TAKEN: {
    status: 409,
    zh_CN: '标识符“{signCode}”已被使用',
    en_US: 'The identifier {signCode} is already in use',
  },
  FUNCTION_TYPE_FIXED: {
    status: 409,
    zh_CN: '功能类型不能修改',
    en_US: 'The type of a function cannot be changed',
  },
  FUNCTIONS_TOO_MANY: {
    status: 409,
    zh_CN: '功能数量超过上限 {max}',
    en_US: 'The number of functions exceeds the limit of {max}',
  },
  MODEL_CHANGED: {
    status: 409,
    zh_CN: '物模型已被他人修改（现为版本 {modelVersion}），请在其基础上重新保存',
    en_US:
      'Another user has changed the model (now version {modelVersion}); save your changes again based on that version',
  },
  CATEGORY_HAS_PRODUCTS: {
    status: 409,
    zh_CN: '品类“{categoryName}”下有 {products} 个产品，不能删除',
    en_US:
      'The category is used by products and cannot be deleted: {categoryName} ({products} {products:product|products})',
  },
  PRODUCT_HAS_DEVICES: {
    status: 409,
    zh_CN: '产品“{productName}”下有 {devices} 台设备，不能删除',
    en_US: 'The product has devices and cannot be deleted: {productName} ({devices} {devices:device|devices})',
  },
  TENANCY_HAS_LINKS: {
    status: 409,
    zh_CN: '租户有关联的应用或用户，请先删除',
    en_US: 'The tenant has linked applications/users, delete them first',
  },
  ROLE_HAS_USERS: {
    status: 409,
    zh_CN: '角色下有 {users} 个用户，不能删除',
    en_US: 'The role is assigned to {users} {users:user|users} and cannot be deleted',
  },
  PLATFORM_PROTECTED: {
    status: 409,
    zh_CN: '平台内置的租户和角色不能修改或删除',
    en_US: 'The platform tenant and its administrator role cannot be changed or deleted',
  },
  LAST_ADMINISTRATOR: {
    status: 409,
    zh_CN: '最后一个平台管理员不能被删除、注销或更换角色',
    en_US: 'The last platform administrator cannot be deleted, closed or assigned another role',
  },
  DELETE_SELF: { status: 409, zh_CN: '不能删除自己', en_US: 'You cannot delete yourself' },
  APPLICATION_OF_CLOSED_TENANCY: {
    status: 409,
    zh_CN: '租户已停用，不能启用其应用',
    en_US: 'The application of a disabled tenant cannot be enabled',
  },
  ROLE_OF_OTHER_TENANCY: {
    status: 409,
    zh_CN: '角色不属于该用户的租户',
    en_US: "The role does not belong to the user's tenant",
  },

  TOO_LARGE: { status: 413, zh_CN: '内容过大', en_US: 'The content is too large' },
  FAULT: { status: 500, zh_CN: '服务器内部错误', en_US: 'Internal error' },
  UNAVAILABLE: {
    status: 503,
    zh_CN: '服务暂时不可用，请稍后再试',
    en_US: 'Service temporarily unavailable, please try again later',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errors;
export type ErrorParams = Record<string, string | number>;

export const errorText = (code: ErrorCode, language: Language, params: ErrorParams = {}): string =>
  fill(errors[code][language], params);
