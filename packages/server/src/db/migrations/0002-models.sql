-- What a device can do: categories with their open functions, products with their versioned models, and the devices
-- that models are for.

alter table picture add column purpose @key not null default 'avatar';

-- A category of the platform's tenant is standard. `english`: what a built-in one is called in English (JSON);
-- what people make has no second language.
create table category (
  category_id @key primary key,
  tenancy_id @key not null references tenancy (tenancy_id),
  category_name @text not null,
  category_name_key @key not null,
  search_key @key not null,
  description @text not null,
  english @text,
  model_version @int not null,
  created_at @int not null,
  updated_at @int not null
) @table;
create unique index category_by_name on category (tenancy_id, category_name_key);
create index category_by_created on category (created_at, category_id);
create index category_by_updated on category (updated_at, category_id);

create table open_function (
  function_id @key primary key,
  category_id @key not null references category (category_id) on delete cascade,
  sign_code @key not null,
  function_name @text not null,
  search_key @key not null,
  function_type @int not null,
  description @text not null,
  definition @text not null,
  english @text,
  sort_order @int not null,
  created_at @int not null,
  updated_at @int not null
) @table;
create unique index open_function_by_code on open_function (category_id, sign_code);
create index open_function_by_order on open_function (category_id, sort_order, function_id);

create table product (
  product_id @key primary key,
  tenancy_id @key not null references tenancy (tenancy_id),
  category_id @key not null references category (category_id),
  application_id @key references application (application_id) on delete set null,
  product_name @text not null,
  product_name_key @key not null,
  product_id_key @key not null,
  description @text not null,
  picture_id @key references picture (picture_id),
  node_type @int not null,
  protocol_id @int not null,
  class_id @int not null,
  secret_sealed @text not null,
  allow_register @int not null,
  allow_md5 @int not null,
  model_version @int not null,
  function_count @int not null,
  creator @text not null,
  created_at @int not null,
  updated_at @int not null
) @table;
create unique index product_by_picture on product (picture_id);
create unique index product_by_name on product (tenancy_id, product_name_key);
create index product_by_category on product (category_id, created_at, product_id);
create index product_by_application on product (application_id);
create index product_by_tenancy on product (tenancy_id, created_at, product_id);
create index product_by_created on product (created_at, product_id);
create index product_by_updated on product (updated_at, product_id);

create table product_function (
  function_id @key primary key,
  product_id @key not null references product (product_id) on delete cascade,
  sign_code @key not null,
  function_name @text not null,
  function_type @int not null,
  description @text not null,
  definition @text not null,
  sort_order @int not null
) @table;
create unique index product_function_by_code on product_function (product_id, sign_code);
create index product_function_by_order on product_function (product_id, sort_order, function_id);

-- The model as it was, whole, so that any two can be compared and one gone back to.
create table product_model_version (
  product_id @key not null references product (product_id) on delete cascade,
  model_version @int not null,
  functions @text not null,
  function_count @int not null,
  added @int not null,
  removed @int not null,
  changed @int not null,
  restored_from @int,
  creator @text not null,
  created_at @int not null,
  primary key (product_id, model_version)
) @table;

create table device (
  device_id @key primary key,
  tenancy_id @key not null references tenancy (tenancy_id),
  product_id @key not null references product (product_id),
  application_id @key not null references application (application_id) on delete cascade,
  device_name @text not null,
  device_name_key @key not null,
  device_id_key @key not null,
  mac @text not null,
  mac_key @key not null,
  version_number @text not null,
  online @int not null,
  parent_id @key not null,
  mock @int not null,
  created_at @int not null,
  updated_at @int not null
) @table;
create index device_by_product on device (product_id, created_at, device_id);
create index device_by_application on device (application_id, created_at, device_id);
create index device_by_tenancy on device (tenancy_id, created_at, device_id);
create index device_by_created on device (created_at, device_id);
create index device_by_updated on device (updated_at, device_id);

-- What was put in once at a start, so that what an operator deletes does not come back.
create table seed (seed_name @key primary key, created_at @int not null) @table;

insert into menu (menu_key, menu_id, parent_key, name_zh, name_en, path, icon, sort_order, platform_only) values
  ('categoryConfig', 4, null, '品类配置', 'Categories', '/categoryConfig', 'shapes', 30, 0),
  ('categoryList', 401, 'categoryConfig', '品类管理', 'Categories', '/categoryConfig/categoryList', 'shapes', 31, 0),
  ('productConfig', 5, null, '产品配置', 'Products', '/productConfig', 'package', 40, 0),
  ('productList', 502, 'productConfig', '产品管理', 'Products', '/productConfig/productList', 'package', 41, 0);
