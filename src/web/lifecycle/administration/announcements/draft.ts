import type {
  Announcement,
  AnnouncementWish,
  Audience,
} from '#shared/identity/announcements/announcements.ts'

/** Form state of an announcement. Times are datetime-local values in the user's time zone. */
export type Draft = Pick<Announcement, 'tone'> & {
  text_en: string
  text_fr: string
  link: string
  audience: Audience
  starts: string
  ends: string
  by_mail: boolean
}

const DAY_MS = 86_400_000

/** Returns the default draft: news for one day, to everyone or to the only available companies. */
export function emptyDraft(now: number, company_ids: string[] = []): Draft {
  const audience = { company_ids, group_ids: [], roles: [] }
  const texts = { text_en: '', text_fr: '', link: '' }
  return {
    tone: 'news',
    ...texts,
    audience,
    starts: '',
    ends: toField(new Date(now + DAY_MS)),
    by_mail: false,
  }
}

export function draftOf(one: Announcement): Draft {
  const { tone, text_en, text_fr, link, audience, starts_at, ends_at, by_mail } = one
  return {
    ...{ tone, text_en: text_en ?? '', text_fr: text_fr ?? '', link: link ?? '' },
    ...{ audience, starts: toField(new Date(starts_at)), ends: toField(new Date(ends_at)), by_mail },
  }
}

/** Builds the request body; null without a text or when the end is not after the start. */
export function wishOf(draft: Draft): AnnouncementWish | null {
  const { tone, audience, starts, ends, by_mail } = draft
  const [text_en, text_fr, link] = [draft.text_en, draft.text_fr, draft.link].map(
    (text) => text.trim() || null,
  )
  const starts_at = toInstant(starts)
  const ends_at = toInstant(ends)
  if ((!text_en && !text_fr) || ends_at === null || (starts_at !== null && ends_at <= starts_at)) return null
  return {
    tone,
    audience,
    text_en: text_en ?? null,
    text_fr: text_fr ?? null,
    link: link ?? null,
    starts_at,
    ends_at,
    by_mail,
  }
}

function toInstant(field: string): string | null {
  const time = new Date(field)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

/** Formats a time as `2026-11-24T18:30` in the browser's time zone. */
function toField(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
