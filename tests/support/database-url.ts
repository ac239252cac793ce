/** A database on a Unix socket as a process of its own is told it, for `DATABASE_URL`. */
export function databaseUrl(address: { host: string; port: number; user: string; database: string }): string {
  const { host, port, user, database } = address
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}
