-- The company whose directory shut an account out, which alone may let it in again. Null: an administrator did.
alter table users add column deactivated_by_directory uuid references companies on delete set null;
create index users_deactivated_by_directory on users (deactivated_by_directory);

-- Accounts that a directory shut out before this was noted: within the second, and no administrator since.
update users set deactivated_by_directory = s.company_id from scim_users s
where s.user_id = users.id and not s.active and users.deactivated_at is not null
  and abs(extract(epoch from s.updated_at - users.deactivated_at)) < 1
  and not exists (select from audit_entries a
    where a.did = 'account.deactivated' and a.subject_id = users.id::text and a.at >= users.deactivated_at - interval '1 second');
