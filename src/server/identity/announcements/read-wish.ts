import type { Kysely } from 'kysely'
import {
  type AnnouncementWish,
  type Audience,
  MAX_ANNOUNCEMENT_DAYS,
} from '#shared/identity/announcements/announcements.ts'
import { AppError } from '#shared/platform/errors.ts'
import { type Person, reaches } from '../../platform/access/access.ts'
import { cleanCharacters } from '../../platform/db/db.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { countCompanies, findGroupCompanies } from './store.ts'

export type Wish = Omit<AnnouncementWish, 'starts_at'> & { starts_at: Date }

const DAY_MS = 86_400_000

/**
 * Validates an announcement and returns it with its start and the companies of its groups.
 * @throws AppError `invalid`, `forbidden` for an audience outside of the caller's reach, `not_found` for deleted targets
 */
export async function readWish(
  db: Kysely<Tables>,
  principal: Person,
  body: AnnouncementWish,
  now: Date,
): Promise<Wish> {
  const { text_en, text_fr, link } = body
  if (text_en === null && text_fr === null)
    throw wrong('text_en', 'Write the announcement in English, in French, or in both.')
  if (link !== null && !URL.canParse(link)) throw wrong('link', 'This is no address of the web.')
  const starts_at = body.starts_at === null ? now : new Date(body.starts_at)
  const ends_at = new Date(body.ends_at)
  if (ends_at <= starts_at || ends_at <= now)
    throw wrong('ends_at', 'It has to end after it begins, and not in the past.')
  if (ends_at.getTime() - starts_at.getTime() > MAX_ANNOUNCEMENT_DAYS * DAY_MS)
    throw wrong('ends_at', `It is shown for ${MAX_ANNOUNCEMENT_DAYS} days at most.`)
  const clean = (text: string | null) => (text === null ? null : cleanCharacters(text))
  const texts = { text_en: clean(text_en), text_fr: clean(text_fr) }
  return { ...body, ...texts, starts_at, audience: await readAudience(db, principal, body.audience) }
}

async function readAudience(db: Kysely<Tables>, principal: Person, audience: Audience): Promise<Audience> {
  const { roles } = audience
  const group_ids = [...new Set(audience.group_ids)]
  const company_ids = [...new Set(audience.company_ids)]
  if (group_ids.length > 0) {
    const companies = await findGroupCompanies(db, principal, group_ids)
    if (companies.length < group_ids.length)
      throw notTheirs('One of the groups is gone, or not yours to tell.')
    return { roles, group_ids, company_ids: [...new Set(companies)] }
  }
  if (company_ids.length === 0 && !reaches(principal, 'super_admin'))
    throw new AppError(
      'forbidden',
      'Only a super admin tells everybody. Choose companies or groups of yours.',
    )
  if ((await countCompanies(db, principal, company_ids)) < company_ids.length)
    throw notTheirs('One of the companies is gone, or not yours to tell.')
  return { roles, group_ids, company_ids }
}

const notTheirs = (message: string) => new AppError('forbidden', message)

const wrong = (path: string, message: string) =>
  new AppError('invalid', message, { errors: [{ path, message }] })
