import type { DatabaseKind } from '#shared/tools/databases/databases.ts'

/** Names of products, the same in every language. */
export const kindNames: Record<DatabaseKind, string> = {
  postgres: 'PostgreSQL',
  mysql: 'MySQL, MariaDB',
  sqlite: 'SQLite',
}

/** Statements that create a role which only reads. */
export const readingRole: Partial<Record<DatabaseKind, string>> = {
  postgres: `create role atrium_read login password '…';
grant usage on schema public to atrium_read;
grant select on public.invoices to atrium_read;
revoke create on schema public from public;`,
  mysql: `create user atrium_read identified by '…';
grant select on erp.invoices to atrium_read;`,
}
