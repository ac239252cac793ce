-- Who approves the calls of a tool for the people of a company. An approver who is gone stays as nobody, so that the rule never lapses.
create table tool_approvals (
  company_id uuid not null references companies on delete cascade,
  tool_id text not null,
  approver_user_id uuid references users on delete set null,
  approver_group_id uuid references groups on delete set null,
  deputy_user_id uuid references users on delete set null,
  deputy_group_id uuid references groups on delete set null,
  -- Minutes after which the deputy may approve as well; null without a deputy.
  deputy_minutes int check (deputy_minutes between 0 and 43200),
  -- Minutes after which the call is declined.
  deadline_minutes int not null check (deadline_minutes between 5 and 43200),
  changed_at timestamptz not null,
  primary key (company_id, tool_id),
  check (num_nonnulls(approver_user_id, approver_group_id) <= 1),
  check (num_nonnulls(deputy_user_id, deputy_group_id) <= 1)
);
create index tool_approvals_approver on tool_approvals (approver_user_id) where approver_user_id is not null;
create index tool_approvals_approver_group on tool_approvals (approver_group_id) where approver_group_id is not null;
create index tool_approvals_deputy on tool_approvals (deputy_user_id) where deputy_user_id is not null;
create index tool_approvals_deputy_group on tool_approvals (deputy_group_id) where deputy_group_id is not null;

-- An approval that only named people may give. `names_approver` stays when they are deleted, so that it never falls to the requester.
alter table input_requests
  add column names_approver boolean not null default false,
  add column approver_company_id uuid references companies on delete set null,
  add column approver_user_id uuid references users on delete set null,
  add column approver_group_id uuid references groups on delete set null,
  add column deputy_user_id uuid references users on delete set null,
  add column deputy_group_id uuid references groups on delete set null,
  add column deputy_from timestamptz,
  add column deputy_notified boolean not null default false,
  -- Who gave the answer, where it was not the person of the run.
  add column answered_by uuid references users on delete set null;
create index input_requests_approver_company on input_requests (approver_company_id) where approver_company_id is not null;
create index input_requests_approver on input_requests (approver_user_id, state) where approver_user_id is not null;
create index input_requests_approver_group on input_requests (approver_group_id, state) where approver_group_id is not null;
create index input_requests_deputy on input_requests (deputy_user_id, state) where deputy_user_id is not null;
create index input_requests_deputy_group on input_requests (deputy_group_id, state) where deputy_group_id is not null;
create index input_requests_deputy_due on input_requests (deputy_from)
  where state = 'waiting' and names_approver and not deputy_notified;
create index input_requests_answered_by on input_requests (answered_by) where answered_by is not null;

-- Returns the people who may act as a named person or as members of a group, without the requester.
create function people_named(company uuid, person uuid, team uuid, requester uuid) returns setof uuid language sql stable as $$
  select m.user_id from company_members m join users u on u.id = m.user_id
  where m.company_id = company and u.deactivated_at is null and m.user_id <> requester
    and (m.user_id = person or exists (select from group_members g where g.group_id = team and g.user_id = m.user_id))
  order by 1 limit 200
$$;

create or replace function tell_of_request() returns trigger language plpgsql as $$
declare
  what text := 'request_' || case new.state when 'waiting' then 'opened' else new.state end;
begin
  if new.names_approver then
    perform tell_user(person, what, json_build_object('run_id', new.run_id, 'session_id', null))
    from (select people_named(new.approver_company_id, new.approver_user_id, new.approver_group_id, new.user_id) as person
      union select people_named(new.approver_company_id, new.deputy_user_id, new.deputy_group_id, new.user_id)
      order by 1) told;
  end if;
  if exists (select from sessions where id = new.session_id and origin in ('embed', 'try', 'temporary')) then
    return null;
  end if;
  perform tell_user(new.user_id, what, json_build_object('run_id', new.run_id, 'session_id', new.session_id));
  return null;
end $$;

create or replace function notify_of_request() returns trigger language plpgsql as $$
declare
  about text := 'request ' || new.run_id || ' ' || new.key;
begin
  if tg_op = 'UPDATE' then
    perform read_notifications(array(select id from notifications
      where run_id = new.run_id and request_key = new.key and read_at is null order by id limit 500));
  elsif new.names_approver then
    perform notify_person(person, 'question_waiting', about, jsonb_build_object('run_id', new.run_id, 'request_key', new.key))
    from people_named(new.approver_company_id, new.approver_user_id, new.approver_group_id, new.user_id) person;
  elsif not exists (select from sessions where id = new.session_id and origin in ('embed', 'try', 'temporary')) then
    perform notify_person(new.user_id, 'question_waiting', about,
      jsonb_build_object('session_id', new.session_id, 'run_id', new.run_id, 'request_key', new.key,
        'message_id', (select message_id from runs where id = new.run_id and new.session_id is not null)));
  end if;
  return null;
end $$;

-- Notifies deputies whose turn has come, once.
create function notify_deputies() returns void language plpgsql as $$
declare
  asked input_requests;
begin
  for asked in
    update input_requests set deputy_notified = true where (run_id, key) in (
      select run_id, key from input_requests
      where state = 'waiting' and names_approver and not deputy_notified and deputy_from <= clock_timestamp()
      order by deputy_from limit 200 for update skip locked)
    returning *
  loop
    perform notify_person(person, 'question_waiting', 'request ' || asked.run_id || ' ' || asked.key,
      jsonb_build_object('run_id', asked.run_id, 'request_key', asked.key))
    from people_named(asked.approver_company_id, asked.deputy_user_id, asked.deputy_group_id, asked.user_id) person;
  end loop;
end $$;
