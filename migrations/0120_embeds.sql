-- Assistants inside other pages. A token is an access key of the kind `embed`; what it opens, and where, stands beside it.
create table embeds (
  key_id uuid primary key references access_keys on delete cascade,
  assistant_id uuid not null references assistants on delete cascade,
  -- The sites that may frame it, each as a whole origin.
  origins text[] not null,
  in_extension boolean not null default false,
  messages_a_day int not null check (messages_a_day between 1 and 1000),
  days_kept int not null check (days_kept between 1 and 365)
);
create index embeds_assistant on embeds (assistant_id);

-- Whoever has an embedded assistant open: nobody with an account. Their chats are their own, and go after `days_kept`.
create table embed_visitors (
  id uuid primary key default gen_random_uuid(),
  key_id uuid not null references embeds on delete cascade,
  secret_hash bytea not null unique,
  language text not null check (language in ('en', 'fr')),
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null,
  -- Messages of a day (UTC).
  day date not null,
  messages int not null default 0
);
create index embed_visitors_key on embed_visitors (key_id, last_seen_at desc);

alter table sessions drop constraint sessions_origin_check;
alter table sessions add constraint sessions_origin_check check (origin in ('chat', 'program', 'embed'));
alter table sessions add column visitor_id uuid references embed_visitors on delete cascade;
create index sessions_visitor on sessions (visitor_id, created_at);
alter table sessions add constraint sessions_visited check ((origin = 'embed') = (visitor_id is not null));

-- What a visitor is asked is no business of the inbox of whoever pays.
create or replace function tell_of_request() returns trigger language plpgsql as $$
begin
  if exists (select from sessions where id = new.session_id and origin = 'embed') then return null; end if;
  perform tell_user(new.user_id, 'request_' || case new.state when 'waiting' then 'opened' else new.state end,
    json_build_object('run_id', new.run_id, 'session_id', new.session_id));
  return null;
end $$;
