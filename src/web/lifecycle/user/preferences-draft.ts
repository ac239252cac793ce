import { keepsBeliefs } from '#shared/chat/beliefs/beliefs.ts'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { wantsAnnouncementMails } from '#shared/identity/announcements/announcement-mails.ts'
import { wantsHome } from '#shared/lifecycle/home/home-page.ts'
import { type ColumnWidth, columnWidthOf } from './column-width.ts'

/** Form state of the preferences tab. */
export type PreferencesDraft = {
  name: string
  language: User['language']
  bio: string
  examples: string[]
  columnWidth: ColumnWidth
  homePage: boolean
  workingMemory: boolean
  announcementMails: boolean
}

export const NAME_MAX = 200
export const BIO_MAX = 4000
export const EXAMPLE_MAX = 8000
export const EXAMPLES_MAX = 10

/** Returns the draft of a user's stored preferences. */
export function draftOf(user: User): PreferencesDraft {
  return {
    name: user.full_name ?? '',
    language: user.language,
    bio: user.bio ?? '',
    examples: [...user.writing_style_examples],
    columnWidth: columnWidthOf(user),
    homePage: wantsHome(user),
    workingMemory: keepsBeliefs(user.preferences),
    announcementMails: wantsAnnouncementMails(user.preferences),
  }
}

/** Returns the number of settings that differ from the stored ones. */
export function countChanges(draft: PreferencesDraft, user: User): number {
  const { preferences = {}, ...fields } = changesOf(draft, user)
  return Object.keys(fields).length + Object.keys(preferences).length
}

/** Builds the body with only the changed settings; the server merges preferences by key. Omits empty examples. */
export function changesOf(draft: PreferencesDraft, user: User) {
  const stored = draftOf(user)
  const examples = draft.examples.map((example) => example.trim()).filter((example) => example !== '')
  const preferences = {
    ...(draft.columnWidth === stored.columnWidth ? {} : { column_width: draft.columnWidth }),
    ...(draft.homePage === stored.homePage ? {} : { home_page: draft.homePage }),
    ...(draft.workingMemory === stored.workingMemory ? {} : { working_memory: draft.workingMemory }),
    ...(draft.announcementMails === stored.announcementMails
      ? {}
      : { announcement_mails: draft.announcementMails }),
  }
  return {
    ...(draft.name.trim() === stored.name ? {} : { full_name: draft.name.trim() || null }),
    ...(draft.language === stored.language ? {} : { language: draft.language }),
    ...(draft.bio.trim() === stored.bio ? {} : { bio: draft.bio.trim() || null }),
    ...(isSameList(examples, stored.examples) ? {} : { writing_style_examples: examples }),
    ...(Object.keys(preferences).length > 0 ? { preferences } : {}),
  }
}

/** Returns the number of words in a text. */
export function countWords(text: string): number {
  return text.trim() === '' ? 0 : text.trim().split(/\s+/).length
}

function isSameList(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, index) => text === others[index])
}

export const userTabNames = [
  ...(['preferences', 'security', 'notifications', 'accounts', 'keys', 'billing', 'data'] as const),
] as const
export type UserTab = (typeof userTabNames)[number]

/** Returns the tab for a path of the user view; `/user` is the preferences tab. */
export function tabOf(pathname: string): UserTab {
  const name = /^\/user\/([^/]+)/.exec(pathname)?.[1]
  return userTabNames.find((tab) => tab === name) ?? 'preferences'
}
