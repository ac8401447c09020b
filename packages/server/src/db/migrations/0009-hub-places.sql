-- Where a device side listens, in words that fit no other process that is alive; '' where nobody knows.
alter table hub_instance add column listens_at @key not null default '';
