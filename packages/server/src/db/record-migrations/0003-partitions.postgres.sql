-- What grows with time lies in partitions, so that old records go by dropping a table instead of deleting rows. Records
-- are cut by their number, which rises with time and which lists and streams read by; samples by their own time, which
-- histories read by. What is there becomes the first partition as it lies; from tomorrow on the hub makes one a day.
do $$
declare
  grown record;
  old_index text;
  bound bigint;
begin
  for grown in
    select name, name || '_before' as before, name || '_default' as net, cut_by, per_ms
    from (values
      ('message_record', 'record_id', 4096),
      ('connect_record', 'record_id', 4096),
      ('device_log', 'record_id', 4096),
      ('property_sample', 'sample_time', 1)
    ) as listed (name, cut_by, per_ms)
  loop
    bound := (floor(extract(epoch from now()) / 86400)::bigint + 1) * 86400000 * grown.per_ms;
    execute format('alter table %I rename to %I', grown.name, grown.before);
    for old_index in
      select indexname from pg_indexes where schemaname = current_schema() and tablename = grown.before
    loop
      execute format('alter index %I rename to %I', old_index, replace(old_index, grown.name, grown.before));
    end loop;
    execute format('create table %I (like %I including all) partition by range (%I)',
      grown.name, grown.before, grown.cut_by);
    execute format('create table %I (like %I including all)', grown.net, grown.before);
    -- What a clock that was ahead has numbered would stretch the first partition over days to come.
    execute format('with moved as (delete from %I where %I >= %s returning *) insert into %I select * from moved',
      grown.before, grown.cut_by, bound, grown.net);
    execute format('alter table %I attach partition %I for values from (minvalue) to (%s)',
      grown.name, grown.before, bound);
    -- No insert ever fails for want of a partition.
    execute format('alter table %I attach partition %I default', grown.name, grown.net);
  end loop;
end
$$;
