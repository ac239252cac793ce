-- Company of somebody who signs up: the first one of the installation, or one of their own.
alter table sign_up_policy add column company text not null default 'own' check (company in ('first', 'own'));
-- Installations that exist keep what they had; new ones begin with one company for all.
insert into sign_up_policy (policy, company, updated_at)
select 'open', 'own', now() where exists (select from users) on conflict do nothing;
alter table sign_up_policy alter column company set default 'first';
