-- A draft of an assistant that somebody tries beside its form: a chat of their own that stands in no history.
alter table sessions drop constraint sessions_origin_check;
alter table sessions add constraint sessions_origin_check check (origin in ('chat', 'program', 'embed', 'try'));

create table assistant_tries (
  session_id uuid primary key references sessions on delete cascade,
  user_id uuid not null references users on delete cascade,
  -- Null for an assistant that was never saved.
  assistant_id uuid references assistants on delete cascade,
  -- What the form says, as a version has it.
  content jsonb not null,
  updated_at timestamptz not null
);
create unique index assistant_tries_of on assistant_tries (user_id, assistant_id) nulls not distinct;
create index assistant_tries_assistant on assistant_tries (assistant_id) where assistant_id is not null;
create index assistant_tries_updated on assistant_tries (updated_at);

-- What a try asks is answered beside the form.
create or replace function tell_of_request() returns trigger language plpgsql as $$
begin
  if exists (select from sessions where id = new.session_id and origin in ('embed', 'try')) then return null; end if;
  perform tell_user(new.user_id, 'request_' || case new.state when 'waiting' then 'opened' else new.state end,
    json_build_object('run_id', new.run_id, 'session_id', new.session_id));
  return null;
end $$;
