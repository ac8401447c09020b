-- Blanks around a name mean nothing. Where two names differ by nothing else both stay as they are, for an operator to
-- rename or delete.
update tenancy set
  tenancy_name = trim(tenancy_name),
  tenancy_name_key = trim(tenancy_name_key)
where (tenancy_name <> trim(tenancy_name) or tenancy_name_key <> trim(tenancy_name_key)) and not exists (
  select 1 from tenancy other
  where other.tenancy_id <> tenancy.tenancy_id and trim(other.tenancy_name_key) = trim(tenancy.tenancy_name_key)
);
update tenancy set company_name = trim(company_name), company_name_key = trim(company_name_key);
update zone set
  zone_name = trim(zone_name),
  zone_name_key = trim(zone_name_key)
where (zone_name <> trim(zone_name) or zone_name_key <> trim(zone_name_key)) and not exists (
  select 1 from zone other
  where other.zone_id <> zone.zone_id and trim(other.zone_name_key) = trim(zone.zone_name_key)
);

-- The system menu in the order of the specification.
update menu set sort_order = 21 where menu_key = 'roleList';
update menu set sort_order = 22 where menu_key = 'userList';
update menu set sort_order = 23 where menu_key = 'tenantList';
update menu set sort_order = 24 where menu_key = 'applyList';
