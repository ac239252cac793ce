/** Returns the `DATABASE_URL` of a database on a Unix socket, for use by another process. */
export function databaseUrl(address: { host: string; port: number; user: string; database: string }): string {
  const { host, port, user, database } = address
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}
