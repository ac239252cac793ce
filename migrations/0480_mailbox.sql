-- Mails start schedules: the address of each schedule, the documents made of attachments, and the state of the mailbox.
-- A schedule's address is the address of the mailbox with this token.
alter table schedules add column mail_token text not null default replace(gen_random_uuid()::text, '-', '');
create unique index schedules_mail_token on schedules (mail_token);

alter table trigger_deliveries drop constraint trigger_deliveries_kind_check;
alter table trigger_deliveries add constraint trigger_deliveries_kind_check
  check (kind in ('call', 'test', 'replay', 'document', 'run', 'mail'));

-- The documents of a mail's attachments, so that a mail that is read again after a crash adds none twice.
create table mail_attachments (
  schedule_id uuid not null references schedules on delete cascade,
  -- Message-ID of the mail, as in `trigger_deliveries.foreign_id`.
  foreign_id text not null,
  place integer not null,
  document_id uuid not null references documents on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  primary key (schedule_id, foreign_id, place)
);
create index mail_attachments_document on mail_attachments (document_id);
create index mail_attachments_old on mail_attachments (created_at);

-- The process that reads the mailbox until `held_until`, and how that went.
create table mailbox_state (
  only_row boolean primary key default true check (only_row),
  holder uuid not null,
  held_until timestamptz not null,
  -- The last time its mails were read.
  read_at timestamptz,
  -- Why they could not be read since; null when they could.
  error text
);
