-- What all quarters of the row hub_no 0 add up to, and what those that were too old to keep added: "ever" is this and
-- the quarters of the hubs themselves. The tenant '' stands for all of them together.
create table counter_total (
  tenancy_id @key primary key,
  messages @int not null,
  accesses @int not null
) @table;

-- Quarters that are not folded yet are few, and written often; those that are folded are many, and read in long ranges.
create index quarter_counter_unfolded on quarter_counter (quarter, tenancy_id) where hub_no > 0;
create index quarter_counter_folded on quarter_counter (tenancy_id, quarter, hub_no, messages, accesses) where hub_no = 0;

-- Events of all devices, for those who watch a fleet.
create index message_record_events on message_record (record_id) where function_type = 22;
