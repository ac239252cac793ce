-- People who manage a connector are notified of its questions and of the end of its sign-in.
alter table notifications add column connector_id uuid references connectors on delete cascade;
create index notifications_connector on notifications (connector_id) where connector_id is not null;
alter table connector_removals add column reminded_at timestamptz;

create or replace function notification_default(what text, channel text) returns boolean language sql immutable as $$
  select case channel
    when 'mail' then what in ('question_waiting', 'reply_failed', 'item_shared', 'budget_warning', 'budget_spent',
      'schedule_stopped', 'schedule_failed', 'reminder', 'deputy_asked', 'schedule_offered', 'mentioned',
      'connector_asks', 'connector_signed_out')
    when 'push' then what in ('question_waiting', 'reply_finished', 'reply_failed', 'schedule_stopped', 'schedule_failed',
      'schedule_changed', 'reminder', 'deputy_asked', 'mentioned', 'connector_asks', 'connector_signed_out')
    else true end
$$;

-- The owner of a personal connector, otherwise the administrators of its company.
create function notify_of_connector(connector uuid, what text, about text) returns void language plpgsql as $$
declare
  person uuid;
begin
  for person in
    select c.user_id from connectors c where c.id = connector and c.company_id is null
    union select m.user_id from connectors c join company_members m on m.company_id = c.company_id and m.role <> 'member'
      where c.id = connector
    order by 1
  loop
    perform notify_person(person, what, about, '{}');
    update notifications set connector_id = connector where user_id = person and event = about and connector_id is null;
  end loop;
end $$;
