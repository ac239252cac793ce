import { randomUUID } from 'node:crypto'
import type { Platform } from '../../../platform/platform.ts'

export type Picture = { media_type: 'image/png' | 'image/jpeg' | 'image/webp'; content: Buffer }

/** Stores a user's picture, replaces the previous one and returns its id. */
export function keepPicture({ db }: Pick<Platform, 'db'>, userId: string, picture: Picture): Promise<string> {
  const picture_id = randomUUID()
  return db.transaction().execute(async (trx) => {
    await trx
      .insertInto('user_pictures')
      .values({ user_id: userId, ...picture })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(picture))
      .execute()
    await trx.updateTable('users').set({ picture_id }).where('id', '=', userId).execute()
    return picture_id
  })
}

export async function dropPicture({ db }: Pick<Platform, 'db'>, userId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('user_pictures').where('user_id', '=', userId).execute()
    await trx.updateTable('users').set({ picture_id: null }).where('id', '=', userId).execute()
  })
}

export function readPicture({ db }: Pick<Platform, 'db'>, userId: string): Promise<Picture | undefined> {
  return db
    .selectFrom('user_pictures')
    .select(['media_type', 'content'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}
