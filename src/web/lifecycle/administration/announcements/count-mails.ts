import type { MailCounts } from '#shared/identity/announcements/announcement-mails.ts'

/** Returns the number of addressees. */
export const countMails = ({ waiting, sent, failed, unknown, stopped }: MailCounts) =>
  waiting + sent + failed + unknown + stopped
