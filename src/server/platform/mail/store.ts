import type { Database } from '../db/db.ts'
import type { Secrets } from '../secrets.ts'
import type { MailServer } from './mail-port.ts'

/** The mail server configured by a super admin, if there is one. */
export type StoredServer = {
  /** @throws SecretError if its password cannot be decrypted */
  read(): Promise<MailServer | null>
  /** Returns only its host name, which needs no decryption key. */
  host(): Promise<string | null>
}

export function storedServer(db: Database, secrets: Secrets): StoredServer {
  return {
    read: async () => {
      const row = await db
        .selectFrom('mail_settings')
        .select(['host', 'port', 'security', 'username', 'password_sealed', 'sender'])
        .executeTakeFirst()
      if (!row) return null
      const { password_sealed: sealed, ...server } = row
      return { ...server, password: sealed === null ? null : secrets.open(sealed) }
    },
    host: async () => (await db.selectFrom('mail_settings').select('host').executeTakeFirst())?.host ?? null,
  }
}
