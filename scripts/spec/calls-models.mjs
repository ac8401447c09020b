import { call, loop } from './rows.mjs';

const category = [
  call(
    'GET /category/getCategoryList',
    'pageIndex pageSize searchValue sortField sortMode',
    'server/categories › is seen by a tenant when standard or its own; the filter tells them apart',
    loop('server/lists › shows ten, the newest first, unless told otherwise', 'categoryCalls.getCategoryList'),
  ),
  call(
    'GET /category/getCategoryDetails',
    'categoryId',
    'server/categories › counts its functions by kind, and of its products those that the caller may see',
  ),
  call(
    'POST /category/addCategory',
    'categoryName description',
    'server/categories › has a name of its own in its tenant, whatever the case; another tenant may have the same',
  ),
  call(
    'POST /category/updateCategory',
    'categoryId categoryName description',
    'server/categories › keeps its description where an update leaves it out, and loses it with an empty one',
  ),
  call(
    'DELETE /category/deleteCategory',
    'categoryId',
    'server/categories › is refused while products use the category, by name and number',
  ),
  call('DELETE /category/deleteBatchCategory', 'categoryIds', 'server/categories › several is all or none'),
  call(
    'GET /category/getOpenFunctions',
    'categoryId pageIndex pageSize searchValue',
    'server/category-functions › are found by name, identifier and kind, in pages',
  ),
  call(
    'PUT /category/addOpenFunctions',
    'categoryId functions',
    'server/category-functions › in bulk are added all or none',
    'server/category-functions › copied by id take the caller’s language, beside whole ones, under new ids',
  ),
  call(
    'PUT /category/addOpenFunction',
    'categoryId categoryName description functionDefinition functionName functionType signCode',
    'server/category-functions › come one by one as %s, at the end, each as a version',
  ),
  call(
    'POST /category/updateOpenFunction',
    'id categoryId description functionDefinition functionName signCode',
    'server/category-functions › change in place, keep what an update leaves out, and never their type',
  ),
  call('DELETE /category/deleteOpenFunction', 'id', 'server/category-functions › go one by one'),
];

const product = [
  call(
    'GET /device/product/queryDeviceProductList',
    'pageIndex pageSize categoryId nodeType productId productName protocolId classId sortField sortMode',
    'server/product-list › is filtered by each field and by several at once',
    'server/product-list › is sorted by when they were made or changed',
  ),
  call(
    'GET /device/product/getDeviceFunctionDefinitionList',
    'productId',
    'server/models › come in bulk, whole or copied from a category in the caller’s language, all or none',
  ),
  call(
    'PUT /device/product/addDeviceProduct',
    'description protocolId productName icon nodeType categoryId classId',
    'server/products › is made with a key of letters and digits and tells all about itself in both languages',
  ),
  call(
    'DELETE /device/product/deleteDeviceProduct',
    'productIds',
    'server/products › counts its devices, and with some cannot be deleted',
  ),
  call(
    'GET /device/product/getDeviceProductDetails',
    'productId',
    'server/products › is made with a key of letters and digits and tells all about itself in both languages',
  ),
  call(
    'POST /device/product/updateDeviceProduct',
    'productId description productName icon classId',
    'server/products › keeps what an update leaves out, and its node type, protocol and category for good',
  ),
  call(
    'GET /device/product/getDeviceProductClass',
    '',
    'server/product-list › product classes are told in both languages',
  ),
  call(
    'PUT /device/product/addProductFunctions',
    'functions productId',
    'server/models › come in bulk, whole or copied from a category in the caller’s language, all or none',
  ),
  call(
    'PUT /device/product/addProductFunction',
    'description productId signCode functionType functionDefinition functionName',
    'server/models › come one by one as %s, at the end, each as a version',
  ),
  call(
    'POST /device/product/updateProductFunction',
    'id description productId signCode functionType functionDefinition functionName',
    'server/models › change in place, keep what an update leaves out, and never their type',
  ),
  call('DELETE /device/product/deleteProductFunction', 'id', 'server/models › go one by one'),
];

export const modelCalls = [...category, ...product];
