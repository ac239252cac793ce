-- Messages that people send while a reply is written. They steer the run, interrupt it, or wait for its end.
create table queued_messages (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null references sessions on delete cascade,
  user_id uuid not null references users on delete cascade,
  way text not null check (way in ('steer', 'interrupt', 'queue')),
  -- Given by the browser, so that a repeated request stores one message.
  client_id text not null,
  content text not null,
  -- What is sent with the message: tool, model, documents, mentions, the person's time zone.
  options jsonb not null default '{}',
  position integer not null,
  -- Code of the refusal when it could not be started.
  failure text,
  -- A step of the run reads it. From then on it can no longer be changed.
  claimed_at timestamptz,
  -- The journal has it. Only steering messages stay after they were used.
  read_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  unique (session_id, client_id)
);
create index queued_messages_waiting on queued_messages (session_id, position, id) where read_at is null;
create index queued_messages_user on queued_messages (user_id);

create function tell_of_queue() returns trigger language plpgsql as $$
declare chat uuid = coalesce(new.session_id, old.session_id);
declare person uuid;
begin
  select user_id into person from sessions where id = chat;
  -- A deleted chat takes its queue along.
  if person is not null then perform tell_user(person, 'queue_changed', json_build_object('session_id', chat)); end if;
  return null;
end $$;
create constraint trigger queue_told after insert or update or delete on queued_messages
deferrable initially deferred for each row execute function tell_of_queue();
