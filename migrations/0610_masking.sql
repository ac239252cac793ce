-- Which personal details a company replaces before a call leaves the installation. `connections` has exceptions by provider: on, off.
create table company_masking (
  company_id uuid primary key references companies on delete cascade,
  mode text not null check (mode in ('off', 'choice', 'on')),
  kinds text[] not null,
  connections jsonb not null
);

-- What a person last chose where their company leaves it to them; it applies to their new chats.
create table person_masking (
  user_id uuid primary key references users on delete cascade,
  is_on boolean not null
);

-- The replaced values of a chat, sealed, and what its person chose for it.
create table chat_masking (
  session_id uuid primary key references sessions on delete cascade,
  values_sealed text,
  is_on boolean
);

-- The placeholders that the calls for a reply had.
create table masked_replies (
  message_id uuid primary key references messages on delete cascade,
  session_id uuid not null references sessions on delete cascade,
  placeholders text[] not null
);
create index masked_replies_session on masked_replies (session_id);
