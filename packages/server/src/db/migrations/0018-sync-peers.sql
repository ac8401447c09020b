-- The installation, tenant and application behind each node that records were delivered to, as JSON; '' is not known.
alter table sync_zone add column peers @text not null default '';
insert into sync_job (job_name, leader, leader_until, done_at) values ('check', '', 0, 0);
