-- The groups of a directory changed while the account was deactivated: the role follows them when it is reactivated.
alter table company_members add column if not exists is_role_held boolean not null default false;
