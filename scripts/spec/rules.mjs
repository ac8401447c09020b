import { is, loop, row, rule, says } from './rows.mjs';
import { textRules } from './rules-text.mjs';

const long = (length) => 'x'.repeat(length);
const form = (title) => `console/features/zone/form/zone-form › ${title}`;
const atFields = form('says at each field what is wrong with it');
const atNodes = 'server/zones › is told what is wrong with a node at the field it is in';
const outer = form('checks an outer node by its own rules and stores its key');

const zones = [
  row('zoneName: required', rule('name of a zone', { refuses: [''] }), atFields),
  row(
    "zoneName: 1-50, 'input length is 1-50, please re-enter'",
    says('input length is 1-50, please re-enter', 'fieldTexts.ZONE_LENGTH'),
    rule('name of a zone', { takes: [long(50)], refuses: [long(51)] }),
  ),
  row('hostName: required', loop(atNodes, "hostName: ''"), atFields),
  row('hostName: 1-50', rule('address of a node that is tested', { takes: [long(50)], refuses: [long(51)] })),
  row(
    "hostName: digits, letters . - _ : /, 'Incorrect content input, please re-enter'",
    says('Incorrect content input, please re-enter', 'fieldTexts.INVALID'),
    rule('address of a node that is tested', {
      takes: ['broker', '10.0.0.1', 'mqtts://b-1.example.com:8883'],
      refuses: ['a b', '中文', 'a@b', 'a?b'],
    }),
    atFields,
  ),
  row(
    'port: required, 1-6 digits, 0-65535',
    rule('port of a node', { takes: ['0', '65535'], refuses: ['65536', '-1', 'x'] }),
    atFields,
    loop(atNodes, 'port: 70_000'),
  ),
  row(
    "username: no Chinese characters, 'The account name is entered incorrectly, please re-enter'",
    says('The account name is entered incorrectly, please re-enter', 'fieldTexts.ZONE_ACCOUNT'),
    rule('account of a node', { takes: ['hub'], refuses: ['账号'] }),
    atFields,
  ),
  row('password: no Chinese characters', rule('password of a node', { refuses: ['密码密码密码密码'] }), atFields),
  row(
    'password: 8-20',
    rule('password of a node', { takes: [long(8), long(20)], refuses: [long(7), long(21)] }),
    atFields,
  ),
  row(
    'bucketUrl: as hostName',
    rule('address of another platform that is tested', {
      takes: ['https://other.example.com/base'],
      refuses: [long(51), 'a b', '中文'],
    }),
    outer,
  ),
  row(
    'bucketZoneId: required, 1-5 digits, from 1',
    loop(atNodes, 'bucketZoneId: 100_000'),
    outer,
    'console/features/zone/form/zone-values › name what is wrong rather than that something is',
  ),
  row(
    'routeKey: required, 1-50',
    rule('beginning of the topics of a zone', { takes: [long(50)], refuses: ['', long(51)] }),
    atFields,
  ),
  row(
    'address: required, 1-50, a host’s characters',
    rule('address of a new zone', { takes: [long(50), '10.0.0.1'], refuses: ['', long(51), '中文', 'a b'] }),
    atFields,
  ),
  row('isSyncModel: required, numeric', rule('flag of a zone', { takes: ['0', '1'], refuses: ['', 'yes'] })),
  row(
    "An empty required field: 'The input cannot be empty, please re-enter'",
    says('The input cannot be empty, please re-enter', 'fieldTexts.REQUIRED'),
    rule('name of a zone', { refuses: [''] }),
    atFields,
  ),
  row(
    'At least one node row is kept',
    says('Keep at least one node', 'fieldTexts.ZONE_NO_NODE'),
    rule('nodes of a new zone', { refuses: ['[]'] }),
    form('keeps one node, and adds, moves and removes others'),
  ),
  row(
    'Certificate: CER, CRT, PEM, P12',
    is(['cer', 'crt', 'pem', 'p12'], ({ contract }) => [...contract.certificateExtensions]),
    loop('server/zone-certificates › is taken: %s', "'ca.cer'", "'ca.crt'", "'own.pem'", "'own.p12'"),
    loop('server/zone-certificates › %s is refused: %s', "'notes.txt'"),
    form('takes certificate files of some kinds only, and shows the hub’s refusal at the row'),
  ),
  row('Certificate: at most 5 MB', 'server/zone-certificates › has at most 5 MB'),
];

const mockForm = (title) => `console/features/mock/create/add-mock › ${title}`;
const devices = [
  row('Mock deviceName: required', rule('device name', { refuses: [''] })),
  row(
    'Mock deviceName: the name rule',
    rule('device name', { takes: ['设备_1@-(b)', 'n'.repeat(50)], refuses: ['a b', 'n'.repeat(51)] }),
  ),
  row(
    "Mock productId: required, 'Product selection cannot be empty'",
    says('Product selection cannot be empty', 'fieldTexts.NO_MOCK_PRODUCT'),
    rule('product of a mock device', { refuses: [''] }),
    'server/mock › needs a product, and the sentence says so in both languages',
    mockForm('says that a search found nothing, and that a product has to be chosen'),
  ),
  row(
    'The product id must be searched first',
    mockForm('finds the product by its id, makes the device and goes to its console'),
    mockForm('says that a search found nothing, and that a product has to be chosen'),
  ),
  row(
    'Only monomer or gateway products',
    says('Only a monomer or gateway product can be chosen', 'errors.PRODUCT_NOT_FOR_MOCK'),
    loop('server/mock › is refused with %s, and nothing is made', 'PRODUCT_NOT_FOR_MOCK'),
    mockForm('shows a child product, and why it cannot be chosen'),
  ),
  row(
    'At most 10 child devices',
    rule('more children of a mock gateway', { refuses: ['[]'] }),
    'server/mock › come after those that are there, ten at most',
    'server/mock › never become eleven, however many add at once',
    mockForm('takes ten children of a gateway and no eleventh'),
  ),
  row(
    'QR code form: deviceId required',
    "console/features/qr/qr-page › says of another tenant's device that there is none, and makes no code",
  ),
  row(
    'QR code form: content required',
    'console/features/qr/qr-page › wants a content, and one that the level can hold',
  ),
  row(
    'Device config form: applicationId required',
    'server/control-configuration › of an application, a zone and a level lacks none',
  ),
  row(
    'Device config form: area required',
    'server/control-configuration › of an application, a zone and a level lacks none',
  ),
  row(
    'Device config form: logLevel required',
    rule('log level', { refuses: [''] }),
    'server/control-configuration › of an application, a zone and a level lacks none',
  ),
];

const kinds = (...names) => names.map((name) => `['${name}'`);
const files = [
  row(
    'Avatar: jpg, jpeg, png, bmp',
    loop('server/avatar › that is a %s is served as a picture and never run', ...kinds('png', 'jpg', 'bmp')),
    loop('server/avatar › that is %s is refused and the old one stays', "['svg'"),
    'e2e/personal › an avatar is cropped, kept, and shown to its owner; what is no picture is refused',
  ),
  row(
    'Product picture: jpg or png',
    loop('server/product-picture › that is a %s is served as a picture and never run', ...kinds('png', 'jpg')),
    loop('server/product-picture › that is %s is refused, and nothing is kept', ...kinds('bmp', 'gif')),
    'e2e/model-editor › a product gets a cropped picture, and its key and secret once',
  ),
  row(
    'Firmware: bin, apk, hex, tar, img, zip',
    loop('server/firmware-refused › is not one named %s', 'a.bin', 'a.b.APK', 'x.hex', 'x.tar', 'x.img', 'x.Zip'),
    loop('server/firmware-refused › is a file named %j', 'a.exe'),
    'console/features/firmware/form/version-form › takes only files that are what they say',
  ),
];

const chosen = (what, name, key) =>
  row(
    `Batch delete of ${what}: at least one, 'select at least one …'`,
    says('select at least one', `fieldTexts.${key}`, { begins: true }),
    rule(name, { refuses: ['', '[]'] }),
  );
const batches = [
  chosen('tenants', 'tenants chosen', 'TOO_FEW'),
  chosen('applications', 'applications chosen', 'TOO_FEW'),
  chosen('users', 'users chosen', 'TOO_FEW'),
  chosen('categories', 'categories chosen', 'NO_CATEGORY'),
  chosen('products', 'products chosen', 'NO_PRODUCT'),
  chosen('devices', 'devices chosen', 'NO_DEVICE'),
  chosen('firmware versions', 'versions chosen', 'NO_VERSION'),
  chosen('upgrade tasks', 'tasks to delete', 'NO_TASK'),
];

export const validation = {
  number: 5,
  title: 'Validation rules',
  intro: [
    'The rule table (`packages/contract/test/*-rules.ts`) holds accepted and refused values of every rule. The schemas are held to all of them, the hub at every call and field that has the rule, in both languages, and the forms. A row that names a rule of the table fails when the values at its limits are not in it.',
  ],
  also: [
    'contract/fields › has a place for every field that a person fills in',
    'contract/fields › names only fields that there are, with the schema that the call has',
    'server/validation › takes what the rule takes',
  ],
  rows: [...textRules, ...zones, ...devices, ...files, ...batches],
};
