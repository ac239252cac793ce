import { hashSecret, newSecret } from '../../src/server/identity/accounts/accounts.ts'
import { EMBED_PREFIX, VISIT_PREFIX } from '../../src/shared/chat/embeds/addresses.ts'
import type { TestApp } from './app.ts'

type App = { deps: Pick<TestApp['deps'], 'db' | 'clock'> }
type Wish = { origins?: string[]; inExtension?: boolean; messagesADay?: number }

/** Creates a token that embeds a person's assistant in other pages. */
export async function anEmbed(
  { deps: { db, clock } }: App,
  { id: user_id }: { id: string },
  assistant_id: string,
  { origins = ['https://intranet.example'], inExtension = false, messagesADay = 20 }: Wish = {},
): Promise<{ embedId: string; token: string }> {
  const token = EMBED_PREFIX + newSecret()
  const kept = { secret_hash: hashSecret(token), hint: token.slice(0, 8), kind: 'embed' as const }
  const expires_at = new Date(clock.now().getTime() + 30 * 86_400_000)
  const key = await db
    .insertInto('access_keys')
    .values({ user_id, name: 'Intranet', ...kept, created_at: clock.now(), expires_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  const bounds = { in_extension: inExtension, messages_a_day: messagesADay, days_kept: 30 }
  await db
    .insertInto('embeds')
    .values({ key_id: key.id, assistant_id, origins, ...bounds })
    .execute()
  return { embedId: key.id, token }
}

/** Creates a visitor of a person's embedded assistant, with their credentials. */
export async function aVisitor(app: App, owner: { id: string }): Promise<{ token: string }> {
  const { db, clock } = app.deps
  const assistant = await db
    .insertInto('assistants')
    .values({ user_id: owner.id, name: 'Embedded' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { embedId } = await anEmbed(app, owner, assistant.id)
  const token = VISIT_PREFIX + newSecret()
  const now = clock.now()
  const visitor = { key_id: embedId, secret_hash: hashSecret(token), language: 'en' as const }
  await db
    .insertInto('embed_visitors')
    .values({ ...visitor, last_seen_at: now, day: now.toISOString().slice(0, 10) })
    .execute()
  return { token }
}
