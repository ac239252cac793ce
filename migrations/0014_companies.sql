-- Browsers a person has signed in with, so that others who guess lock them out of nothing. One browser may be of several people.
create table known_devices (
  device_hash bytea not null,
  user_id uuid not null references users on delete cascade,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (device_hash, user_id)
);
create index known_devices_user on known_devices (user_id, last_used_at desc);

-- The account a count is about: a lock ends for all addresses at once.
alter table rate_limits add column about text;
create index rate_limits_about on rate_limits (about) where about is not null;

-- What a username looks like. Of names that look alike already, the oldest keeps the look; the others get one nobody can type.
alter table users add column name_skeleton text;
with looks as (
  select id, replace(replace(lower(translate(normalize(username, NFKD),
    'аɑαАΑВΒЬƅсСᴄԁɗеҽЕΕɡցһհНΗіıɩιɪјϳЈкκКΚI1ІΙӀӏוǀМΜпոΝ0оοօОΟՕрρРΡԛզгᴦѕЅꜱТΤυսʋᴜѵνᴠԝѡᴡхχХΧуγүУΥҮᴢΖ’ʼ',
    'aaaaabbbbcccddeeeegghhhhiiiiijjjkkkkllllllllmmnnnoooooooppppqqrrsssttuuuuvvvwwwxxxxyyyyyyzz''''')), 'i', 'l'), 'rn', 'm') as look
  from users
), ranked as (
  select looks.id, look, row_number() over (partition by look order by users.created_at, users.id) as place
  from looks join users on users.id = looks.id
)
update users set name_skeleton = case when place = 1 then look else look || ' ' || users.id end
from ranked where ranked.id = users.id;
alter table users alter column name_skeleton set not null;
create unique index users_name_skeleton on users (name_skeleton);
