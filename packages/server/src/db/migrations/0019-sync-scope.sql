-- Which tenants a zone synchronises: all of them, or those of zone_tenancy. Zones that are targets by now keep all.
alter table zone add column sync_all @int not null default 0;
update zone set sync_all = 1 where zone_id in (select zone_id from zone_node);
create table zone_tenancy (
  zone_id @int not null references zone (zone_id) on delete cascade,
  tenancy_id @key not null references tenancy (tenancy_id) on delete cascade,
  primary key (zone_id, tenancy_id)
) @table;
create index zone_tenancy_by_tenancy on zone_tenancy (tenancy_id);
-- The tenants that the zone's records were made for.
alter table sync_zone add column scope @text not null default 'all';

-- The installation that delivered it, which may pass on what another one manages; '' is not known.
alter table product add column received_from @key not null default '';
alter table device add column received_from @key not null default '';
-- The API key that it is delivered with; '' is not known yet.
alter table product add column received_key @key not null default '';
alter table device add column received_key @key not null default '';
-- The installation that managed it before it was taken over; '' is none.
alter table product add column former_origin @key not null default '';
alter table device add column former_origin @key not null default '';
