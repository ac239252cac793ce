-- A chat that was forked from a message of another chat, and its own message that ends the copied path.
alter table sessions
  add column forked_from uuid references sessions on delete set null,
  add column forked_message uuid,
  add column fork_end uuid;
create index sessions_forked on sessions (forked_from) where forked_from is not null;
