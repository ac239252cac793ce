-- A source names the readers of the present version only. Earlier ones, which others could read, are therefore shown to no one while rights
-- are mirrored.
create function is_version_shown(document documents, version integer) returns boolean language sql stable as $$
  select version = document.version or document.connector_id is null
    or not exists (select from connectors where id = document.connector_id and rights = 'mirrored')
$$;
