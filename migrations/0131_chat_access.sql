-- A super admin who has to look into somebody's chats: why, until when, and what was read. The person is told of each.
create table chat_accesses (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  admin_id uuid references users on delete set null,
  admin_name text not null,
  reason text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- The person has read that it was opened.
  seen_at timestamptz
);
create index chat_accesses_user on chat_accesses (user_id, created_at desc);
create index chat_accesses_admin on chat_accesses (admin_id);
create index chat_accesses_newest on chat_accesses (created_at desc);

create table chat_access_reads (
  access_id uuid not null references chat_accesses on delete cascade,
  -- No reference: that a chat was read stays true when it is deleted.
  session_id uuid not null,
  read_at timestamptz not null,
  primary key (access_id, session_id)
);

create function tell_of_chat_access() returns trigger language plpgsql as $$
begin
  perform tell_user(new.user_id, 'chats_opened', json_build_object('access_id', new.id));
  return null;
end $$;
create constraint trigger chat_access_told after insert on chat_accesses
deferrable initially deferred for each row execute function tell_of_chat_access();
