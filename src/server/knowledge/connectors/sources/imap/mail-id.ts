/** A mail of a folder. Its UID names another mail once the UIDVALIDITY of the folder changes. */
export type MailPlace = { uidValidity: string; uid: number; mailbox: string }

export const idOfMail = ({ uidValidity, uid, mailbox }: MailPlace): string =>
  `${uidValidity}:${uid}:${mailbox}`

/** Returns null for an id of something else. */
export function placeOfId(id: string): MailPlace | null {
  const [, uidValidity, uid, mailbox] = /^(\d+):(\d+):(.+)$/s.exec(id) ?? []
  if (uidValidity === undefined || uid === undefined || mailbox === undefined) return null
  return { uidValidity, uid: Number(uid), mailbox }
}
