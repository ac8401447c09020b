-- How many bytes of records a tenant has of each quarter of an hour: written with the records, lowered as they go. A
-- message of before is counted with about 1 KB.
alter table quarter_counter add column bytes @int not null default 0;
update quarter_counter set bytes = messages * 1000 where tenancy_id <> '';
