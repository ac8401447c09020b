-- That an administrator read a code or initial password which was sent to an account; its owner is told at the log-in.
create table outbox_reveal (
  reveal_id @key primary key,
  user_id @key not null references user_account (user_id) on delete cascade,
  subject @text not null,
  revealed_by @text not null,
  revealed_at @int not null
) @table;
create index outbox_reveal_by_user on outbox_reveal (user_id, revealed_at);

-- Whose rights bound a key, and with whose account it ends. One whose maker is gone works no more, and is still listed.
alter table api_key add column creator_id @key references user_account (user_id) on delete cascade;
update api_key set creator_id =
  (select user_id from user_account where user_account.username = api_key.creator);
create index api_key_by_creator on api_key (creator_id);
