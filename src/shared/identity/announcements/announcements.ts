import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { atMost, Id, Language, prose, queryInt } from '../../platform/primitives.ts'
import { RoleName } from '../accounts/accounts.ts'
import { MailCounts } from './announcement-mails.ts'

/** People can dismiss `news`; a `warning` stays until it ends. */
export const AnnouncementTone = z.enum(['news', 'warning'])
export type AnnouncementTone = z.infer<typeof AnnouncementTone>

export const MAX_ANNOUNCEMENT = 240
/** Maximum duration of an announcement, in days. */
export const MAX_ANNOUNCEMENT_DAYS = 400

/** An announcement in the reader's language, or in the other language when there is no translation. */
export const ShownAnnouncement = z.object({
  id: Id,
  tone: AnnouncementTone,
  text: z.string(),
  language: Language,
  link: z.nullable(z.string()),
})
export type ShownAnnouncement = z.infer<typeof ShownAnnouncement>

export const listShownAnnouncements = route({
  method: 'GET',
  path: '/users/me/announcements',
  access: 'user',
  summary: 'What is announced to the caller now and they have not dismissed, at most three',
  answer: z.object({ items: z.array(ShownAnnouncement) }),
})

export const dismissAnnouncement = route({
  method: 'POST',
  path: '/users/me/announcements/:announcementId/dismissal',
  access: 'user',
  may: 'read announcement',
  summary: 'See an announcement no more; a warning stays until it ends',
  fails: ['not_found', 'conflict'],
  status: 204,
  params: z.object({ announcementId: Id }),
})

/** Audience: everybody when all lists are empty, otherwise people who match every non-empty list. */
export const Audience = z.object({
  company_ids: z.array(Id).check(z.maxLength(100)),
  group_ids: z.array(Id).check(z.maxLength(100)),
  roles: z.array(RoleName).check(z.maxLength(3)),
})
export type Audience = z.infer<typeof Audience>

export const AnnouncementState = z.enum(['planned', 'running', 'ended'])
export type AnnouncementState = z.infer<typeof AnnouncementState>

export const Announcement = z.object({
  id: Id,
  tone: AnnouncementTone,
  text_en: z.nullable(z.string()),
  text_fr: z.nullable(z.string()),
  link: z.nullable(z.string()),
  audience: Audience,
  /** Names of the companies and groups in the audience. */
  names: z.array(z.string()),
  starts_at: z.string(),
  ends_at: z.string(),
  state: AnnouncementState,
  author: z.string(),
  /** Number of people who dismissed it. */
  dismissed: z.int(),
  by_mail: z.boolean(),
  /** Null when it never went by mail. */
  mails: z.nullable(MailCounts),
})
export type Announcement = z.infer<typeof Announcement>

const Wish = z.object({
  tone: AnnouncementTone,
  /** At least one of the two texts is required. */
  text_en: z.nullable(prose(1, MAX_ANNOUNCEMENT)),
  text_fr: z.nullable(prose(1, MAX_ANNOUNCEMENT)),
  /** Web address with more information. */
  link: z.nullable(z.string().check(atMost(2_000), z.regex(/^https?:\/\/[^\s/]/))),
  audience: Audience,
  /** Null: now. */
  starts_at: z.nullable(z.iso.datetime()),
  ends_at: z.iso.datetime(),
  /** Also sends it by mail, once to each person. Changing it to false stops the mails that wait. */
  by_mail: z._default(z.boolean(), false),
})
export type AnnouncementWish = z.infer<typeof Wish>

export const ANNOUNCEMENTS_LIMIT = 20
const params = z.object({ announcementId: Id })

export const listAnnouncements = route({
  method: 'GET',
  path: '/admin/announcements',
  access: 'admin',
  summary: 'Announcements to companies the caller administers, all for a super admin; the newest first',
  query: z.object({
    page: queryInt({ min: 1, max: 100_000, fallback: 1 }),
    limit: queryInt({ min: 1, max: 100, fallback: ANNOUNCEMENTS_LIMIT }),
  }),
  answer: z.object({
    items: z.array(Announcement),
    total: z.int(),
    has_more: z.boolean(),
    /** True when a mail server is set up. */
    can_mail: z.boolean(),
  }),
})

export const createAnnouncement = route({
  method: 'POST',
  path: '/admin/announcements',
  access: 'admin',
  summary: 'Tell people something for a time; who administers companies tells theirs',
  status: 201,
  fails: ['not_found'],
  body: Wish,
  answer: Announcement,
})

export const changeAnnouncement = route({
  method: 'PUT',
  path: '/admin/announcements/:announcementId',
  access: 'admin',
  may: 'manage announcement',
  summary:
    'Change an announcement that has not ended; who dismissed it sees it again when its text is another',
  fails: ['conflict', 'not_found'],
  params,
  body: Wish,
  answer: Announcement,
})

export const endAnnouncement = route({
  method: 'POST',
  path: '/admin/announcements/:announcementId/end',
  access: 'admin',
  may: 'manage announcement',
  summary: 'Show an announcement to nobody from now on',
  fails: ['conflict'],
  params,
  answer: Announcement,
})
