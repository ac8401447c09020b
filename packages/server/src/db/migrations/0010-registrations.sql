-- An id can be registered again after its device was deleted, also by another tenant. Each registration has a number of
-- its own, so that what was written about an earlier one never meets a later one. 0: from before there were numbers.
alter table device add column registration_no @int not null default 0;

-- Whose it was: until its last records are gone, only that tenant may register the id again.
alter table deleted_device add column tenancy_id @key not null default '';

-- -1: of a registration that is gone.
alter table ota_device add column registration_no @int not null default 0;
update ota_device set registration_no = -1
where not exists (
  select 1 from device
  join ota_task on ota_task.task_id = ota_device.task_id
  where device.device_id = ota_device.device_id
    and device.tenancy_id = ota_task.tenancy_id
    and device.product_id = ota_task.product_id
);
update ota_device set status = 7, reason = 0, detail = 'deleted', due_at = 0, ended_at = created_at
where registration_no = -1 and status in (0, 1, 2, 3, 4);
drop index ota_device_once;
create unique index ota_device_once on ota_device (task_id, device_id, registration_no);

create table ota_hold_of_registration (
  device_id @key not null,
  registration_no @int not null,
  task_rank @int not null,
  task_id @key not null references ota_task (task_id) on delete cascade,
  started @int not null,
  primary key (device_id, registration_no, task_rank)
) @table;
insert into ota_hold_of_registration (device_id, registration_no, task_rank, task_id, started)
select ota_hold.device_id, 0, ota_hold.task_rank, ota_hold.task_id, ota_hold.started
from ota_hold
where exists (
  select 1 from ota_device
  where ota_device.task_id = ota_hold.task_id
    and ota_device.device_id = ota_hold.device_id
    and ota_device.registration_no = 0
);
drop table ota_hold;
alter table ota_hold_of_registration rename to ota_hold;
create index ota_hold_by_task on ota_hold (task_id, device_id);

-- Synchronisation could name another tenant's device as the gateway, the device itself, or what is no gateway.
update device set parent_id = ''
where origin_id <> '' and parent_id <> '' and (
  parent_id = device_id
  or exists (
    select 1 from device parent
    join product on product.product_id = parent.product_id
    where parent.device_id = device.parent_id
      and (parent.tenancy_id <> device.tenancy_id or product.node_type <> 2)
  )
);
