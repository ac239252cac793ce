-- A new address counts once it is proved by a link that was mailed there.
alter table one_time_tokens drop constraint one_time_tokens_purpose_check;
alter table one_time_tokens add constraint one_time_tokens_purpose_check
  check (purpose in ('verify_email', 'reset_password', 'sign_on', 'change_email'));

-- Small pictures of people; a new one has a new id, which is what browsers ask for.
alter table users add column picture_id uuid;
create table user_pictures (
  user_id uuid primary key references users on delete cascade,
  media_type text not null check (media_type in ('image/png', 'image/jpeg', 'image/webp')),
  content bytea not null
);
