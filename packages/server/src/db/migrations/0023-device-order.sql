-- Why a device went offline last: a reason of the connect records; '' where that was before this column.
alter table device add column offline_reason @text not null default '';
-- The firmware version as it sorts; filled at the next start for devices of before.
alter table device add column version_key @key not null default '';
create index device_in_order_of_name on device (device_name_key, device_id);
create index device_in_order_of_presence on device (presence_at, device_id);
create index device_in_order_of_version on device (version_key, device_id);

-- What the pieces of one import have in common: they are one entry of the audit log.
alter table audit_log add column merge_key @key not null default '';
create index audit_log_by_merge_key on audit_log (merge_key) where merge_key <> '';
