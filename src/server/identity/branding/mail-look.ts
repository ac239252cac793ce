import type { Kysely } from 'kysely'
import { brandColours } from '#shared/identity/branding/brand-colours.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import { dressHtml } from '../../platform/mail/mail-html.ts'
import { findBrand, findBrandOf, type Logo, readLogo, type StoredBrand } from './brand-store.ts'

/** Name, logo, colours and sender of a company's mails. */
export type MailLook = {
  /** Name of the product in texts; null: its own. */
  name: string | null
  button: { background: string; text: string } | null
  logo: Logo | null
  sender: { name: string | null; address: string | null }
  replyTo: string | null
}

type Whose = { userId: string } | { companyId: string | null }

/** Returns the look of mails to a person, or in the name of a company; null for the product's own. */
export async function findMailLook(db: Kysely<Tables>, whose: Whose): Promise<MailLook | null> {
  const stored = await findStored(db, whose)
  if (!stored) return null
  const { name, accent, light, dark, sender_name, sender_address, reply_to, may_send } = stored
  const colours = accent === null ? null : brandColours(accent, 'light')
  // Mail programs show mails on white.
  const logo = light ?? dark
  return {
    name,
    button: colours && { background: colours.accent, text: colours.accent_fg },
    logo: logo && (await readLogo(db, logo.id)),
    sender: { name: sender_name ?? name, address: may_send ? sender_address : null },
    replyTo: reply_to,
  }
}

async function findStored(db: Kysely<Tables>, whose: Whose): Promise<StoredBrand | null> {
  if ('userId' in whose) return findBrandOf(db, whose.userId)
  return whose.companyId === null ? null : findBrand(db, whose.companyId)
}

/** Height of a logo in mails, in pixels. */
const LOGO_HEIGHT = 32
const MAX_LOGO_WIDTH = 240
const LOGO_ID = 'logo@brand'

/** Returns a mail in the look of a company. A reply address that the mail has already is kept. */
export function wearLook(look: MailLook | null, mail: Mail): Mail {
  if (!look) return mail
  const { name, logo, sender, replyTo } = look
  const isAnswered = Object.keys(mail.headers ?? {}).some((header) => header.toLowerCase() === 'reply-to')
  const html = dressHtml(mail.html, {
    name,
    button: look.button,
    logo: logo && { id: LOGO_ID, ...sizeOf(logo) },
  })
  return {
    ...mail,
    html,
    sender,
    ...(replyTo !== null && !isAnswered && { replyTo }),
    // A mail that is no page shows no logo.
    ...(logo &&
      html !== mail.html &&
      html.includes(LOGO_ID) && { pictures: [{ id: LOGO_ID, content: logo.content }] }),
  }
}

function sizeOf({ width, height }: Logo): { width: number; height: number } {
  const scale = Math.min(LOGO_HEIGHT / height, MAX_LOGO_WIDTH / width)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
