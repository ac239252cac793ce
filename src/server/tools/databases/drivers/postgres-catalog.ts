/** Roles of the server that let their members write, run programs or read files. */
const strong = `'pg_write_all_data', 'pg_write_server_files', 'pg_read_server_files', 'pg_execute_server_program',
  'pg_maintain', 'pg_create_subscription', 'pg_checkpoint', 'pg_signal_backend', 'pg_use_reserved_connections'`

const own = `n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_(toast|temp)'`

/** One row per kind of privilege beyond reading; one row with null when there is none. */
export const POSTGRES_PRIVILEGES = `
  with found (place, privilege) as (
    select 1, 'superuser' from pg_roles r where r.rolsuper and pg_has_role(current_user, r.oid, 'member')
    union select 2, 'may create roles' from pg_roles r where r.rolcreaterole and pg_has_role(current_user, r.oid, 'member')
    union select 3, 'may create databases' from pg_roles r
      where r.rolcreatedb and pg_has_role(current_user, r.oid, 'member')
    union select 4, 'may replicate' from pg_roles r where r.rolreplication and pg_has_role(current_user, r.oid, 'member')
    union select 5, 'member of ' || r.rolname from pg_roles r
      where r.rolname in (${strong}) and pg_has_role(current_user, r.oid, 'member')
    union select 6, 'may create objects in the database' where has_database_privilege(current_database(), 'create')
    union select 7, 'may create objects in the schema ' || n.nspname from pg_namespace n
      where ${own} and has_schema_privilege(n.oid, 'create')
    union (select 8, p.name || ' on ' || n.nspname || '.' || c.relname
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      cross join (values ('INSERT'), ('UPDATE'), ('DELETE'), ('TRUNCATE'), ('REFERENCES'), ('TRIGGER'), ('MAINTAIN')) as p (name)
      where c.relkind in ('r', 'p', 'v', 'm', 'f') and ${own} and case
        when p.name = 'MAINTAIN' and current_setting('server_version_num')::int < 170000 then false
        when p.name in ('INSERT', 'UPDATE', 'REFERENCES') then has_any_column_privilege(c.oid, p.name)
        else has_table_privilege(c.oid, p.name) end
      order by 2 limit 20)
    union (select 9, 'UPDATE on the sequence ' || n.nspname || '.' || c.relname
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where ${own} and case when c.relkind = 'S' then has_sequence_privilege(c.oid, 'usage, update') end order by 2 limit 5)
  )
  select f.privilege, current_setting('server_version') as version
  from (select 1) as one left join found f on true order by f.place, f.privilege limit 50`

/** The columns that the role may read. */
export const POSTGRES_COLUMNS = `
  select n.nspname as schema, c.relname as "table", coalesce(obj_description(c.oid, 'pg_class'), '') as comment,
    a.attname as name, format_type(a.atttypid, a.atttypmod) as type, coalesce(col_description(c.oid, a.attnum), '') as note
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and ${own} and has_schema_privilege(n.oid, 'usage')
    and has_column_privilege(c.oid, a.attnum, 'select')
  order by n.nspname, c.relname, a.attnum limit $1`
