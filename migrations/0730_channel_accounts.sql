-- People of services are stored with their account and deleted with it. Of people without an account, no address is stored. Names were never used.
alter table channel_people add column if not exists user_id uuid references users on delete cascade;
create index if not exists channel_people_user on channel_people (user_id) where user_id is not null;
alter table channel_people alter column name set default '';
update channel_people p set name = '', read_at = '-infinity', user_id = u.id
  from (select p.channel_id, p.foreign_id, (select u.id from users u join company_members m on m.user_id = u.id
      join channels c on c.id = p.channel_id and c.company_id = m.company_id
      where lower(u.email) = p.address and u.email_verified_at is not null and u.deactivated_at is null
      order by u.id limit 1) as id
    from channel_people p) u
  where u.channel_id = p.channel_id and u.foreign_id = p.foreign_id;
update channel_people set address = null where user_id is null and address is not null;
