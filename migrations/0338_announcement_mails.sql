alter table announcements add column by_mail boolean not null default false;
-- When the addressees were written down; null before, and after the audience changed.
alter table announcements add column mails_listed_at timestamptz;
-- Why the mail server takes no mail at the moment.
alter table announcements add column mail_problem text;
alter table announcements add column mail_next_at timestamptz;

-- One row per addressee. `sending` is committed before the mail leaves, so that no mail is sent twice.
create table announcement_mails (
  announcement_id uuid not null references announcements on delete cascade,
  user_id uuid not null references users on delete cascade,
  -- unknown: the server stopped, or lost the mail server, while it was being sent.
  -- stopped: the announcement ended, or goes by mail no more.
  state text not null check (state in ('waiting', 'sending', 'sent', 'failed', 'unknown', 'stopped')),
  tries int not null default 0,
  due_at timestamptz not null,
  -- Reply of the mail server.
  said text,
  changed_at timestamptz not null,
  primary key (announcement_id, user_id)
);
create index announcement_mails_state on announcement_mails (announcement_id, state, user_id);
create index announcement_mails_user on announcement_mails (user_id);

-- Whether an announcement goes to somebody by mail: active people with a verified address who did not unsubscribe.
create function is_mailed_to(a announcements, person users) returns boolean language sql stable as $$
  select person.deactivated_at is null and person.email_verified_at is not null
    and person.preferences ->> 'announcement_mails' is distinct from 'false' and is_announced_to(a, person.id)
$$;
