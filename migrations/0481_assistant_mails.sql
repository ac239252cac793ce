-- Assistants answer mails: the address of each, the threads with their chats, and the mails with their answers.
create table assistant_addresses (
  assistant_id uuid primary key references assistants on delete cascade,
  -- The person in whose name and with whose rights the assistant answers.
  user_id uuid not null references users on delete cascade,
  -- The address is that of the mailbox with this token.
  token text not null default replace(gen_random_uuid()::text, '-', ''),
  is_on boolean not null default false,
  senders text[] not null default '{}',
  updated_at timestamptz not null default clock_timestamp()
);
create unique index assistant_addresses_token on assistant_addresses (token);
create index assistant_addresses_user on assistant_addresses (user_id);

-- An assistant that gets another owner answers no more mails until that owner turns them on.
create function close_assistant_address() returns trigger language plpgsql as $$
begin
  delete from assistant_addresses where assistant_id = new.id;
  return null;
end $$;
create trigger assistant_address_closed after update of user_id on assistants
for each row when (old.user_id is distinct from new.user_id) execute function close_assistant_address();

-- The mails of one sender that answer each other. They are one chat.
create table mail_threads (
  id uuid primary key default gen_random_uuid(),
  assistant_id uuid not null references assistants on delete cascade,
  user_id uuid not null references users on delete cascade,
  sender text not null,
  session_id uuid references sessions on delete set null,
  created_at timestamptz not null default clock_timestamp()
);
create index mail_threads_assistant on mail_threads (assistant_id);
create index mail_threads_user on mail_threads (user_id);
create index mail_threads_session on mail_threads (session_id) where session_id is not null;

create table assistant_mails (
  -- Also names the answer: its Message-ID is this id at the domain of the mailbox.
  id uuid primary key default gen_random_uuid(),
  assistant_id uuid not null references assistants on delete cascade,
  -- Null for a refused mail.
  thread_id uuid references mail_threads on delete cascade,
  -- Message-ID, which starts one run.
  foreign_id text not null,
  sender text not null,
  subject text not null,
  body text not null default '',
  -- Message-IDs of the mails before it in its thread, the oldest first.
  earlier text[] not null default '{}',
  -- sending: committed before the answer leaves, so that it is not sent twice. unknown: it was interrupted meanwhile.
  state text not null check (state in ('waiting', 'answering', 'sending', 'answered', 'refused', 'failed', 'unknown')),
  -- Why it was refused or failed.
  detail text,
  user_message_id uuid references messages on delete set null,
  tries integer not null default 0,
  due_at timestamptz not null default clock_timestamp(),
  received_at timestamptz not null default clock_timestamp()
);
create unique index assistant_mails_once on assistant_mails (assistant_id, foreign_id) where state <> 'refused';
create index assistant_mails_log on assistant_mails (assistant_id, received_at desc, id);
create index assistant_mails_open on assistant_mails (due_at) where state in ('waiting', 'answering', 'sending');
create index assistant_mails_thread on assistant_mails (thread_id, received_at) where thread_id is not null;
create index assistant_mails_message on assistant_mails (user_message_id) where user_message_id is not null;
create index assistant_mails_old on assistant_mails (received_at);

-- The documents of a mail's attachments.
create table assistant_mail_files (
  assistant_id uuid not null references assistants on delete cascade,
  foreign_id text not null,
  place integer not null,
  document_id uuid not null references documents on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  primary key (assistant_id, foreign_id, place)
);
create index assistant_mail_files_document on assistant_mail_files (document_id);
