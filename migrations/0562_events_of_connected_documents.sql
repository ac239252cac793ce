-- A document of a connector starts a schedule only when the owner of the schedule may read it. A project that shows a connector gives no one
-- that right. The condition is that of `platform/access/connector-rules.ts`.
create function reads_item(person uuid, of_connector uuid, of_item uuid) returns boolean language sql stable as $$
  select exists (
    select from connectors source join connector_items item on item.connector_id = source.id
    where source.id = of_connector and item.id = of_item and source.removing is null and item.removed_at is null
      and ((source.company_id is null and source.user_id = person)
        or exists (select from connector_shares share where share.connector_id = source.id and (
          share.company_id in (select company_id from company_members where user_id = person)
          or share.group_id in (select group_id from group_members where user_id = person)
          or (share.person_id = person and share.within in (select company_id from company_members where user_id = person)))))
      and (source.rights = 'named' or (source.rights_read_at > now() - interval '24 hours' and item.readers && array(
        select 'user:' || lower(u.email) from users u where u.id = person and u.email_verified_at is not null
        union all select member.group_key from users u join connector_members member on member.address = lower(u.email)
          where u.id = person and u.email_verified_at is not null and member.connector_id = source.id))))
$$;

create or replace function deliver_document(document documents, project uuid, is_added boolean) returns void language plpgsql as $$
declare
  schedule uuid;
  version_since timestamptz := coalesce((select created_at from document_versions
    where document_id = document.id and version = document.version), document.created_at);
begin
  if document.status <> 'completed' or document.deleted_at is not null then return; end if;
  for schedule in
    select c.id from schedules c where c.rule ->> 'kind' = 'document' and c.rule ->> 'workspace_id' = project::text
      and c.state = 'on' and c.user_id in (select people_of_project(project)) and (is_added or version_since > c.created_at)
      and (document.connector_id is null or reads_item(c.user_id, document.connector_id, document.connector_item_id))
    order by c.id
  loop
    perform deliver_event(schedule, 'document', 'document ' || document.id || ' ' || document.version, document.id, null, '{}');
  end loop;
end $$;
