-- Since when a directory does not list somebody any more whom it listed before.
alter table identities add column gone_at timestamptz;
-- Whether that shut their account out; then the directory lets them in again when it lists them again.
alter table identities add column shut_out boolean not null default false;
