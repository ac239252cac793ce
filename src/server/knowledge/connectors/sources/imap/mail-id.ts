/** A mail of a folder. Its UID names another mail once the UIDVALIDITY of the folder changes. */
export type MailPlace = { validity: string; uid: number; mailbox: string }

export const idOfMail = ({ validity, uid, mailbox }: MailPlace): string => `${validity}:${uid}:${mailbox}`

/** Returns null for an id of something else. */
export function placeOfId(id: string): MailPlace | null {
  const [, validity, uid, mailbox] = /^(\d+):(\d+):(.+)$/s.exec(id) ?? []
  if (validity === undefined || uid === undefined || mailbox === undefined) return null
  return { validity, uid: Number(uid), mailbox }
}
