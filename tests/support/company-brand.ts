import { createCanvas } from '@napi-rs/canvas'
import { sql } from 'kysely'
import type { AllDeps } from '../../src/server/feature.ts'
import type { BrandTheme } from '../../src/shared/identity/branding/branding.ts'

type App = { deps: Pick<AllDeps, 'db'> }
type Wish = {
  name?: string | null
  accent?: string | null
  senderName?: string | null
  senderAddress?: string | null
  replyTo?: string | null
}

/** Returns a picture in PNG. */
export function aPng({ width = 8, height = 4, colour = '#c026d3' } = {}): Buffer {
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = colour
  context.fillRect(0, 0, width, height)
  return canvas.toBuffer('image/png')
}

/** Stores the brand of a company. */
export async function aBrand({ deps }: App, companyId: string, wish: Wish = {}): Promise<void> {
  const { name = 'Orsane', accent = null, senderName = null, senderAddress = null, replyTo = null } = wish
  await sql`insert into company_brands (company_id, version, name, accent, sender_name, sender_address, reply_to)
    values (${companyId}, 1, ${name}, ${accent}, ${senderName}, ${senderAddress}, ${replyTo})
    on conflict (company_id) do update set version = company_brands.version + 1, name = excluded.name,
      accent = excluded.accent, sender_name = excluded.sender_name, sender_address = excluded.sender_address,
      reply_to = excluded.reply_to`.execute(deps.db)
}

/** Stores a logo of a company, with its brand, and returns the id. */
export async function aBrandLogo(app: App, companyId: string, theme: BrandTheme = 'light'): Promise<string> {
  await sql`insert into company_brands (company_id, version) values (${companyId}, 1)
    on conflict (company_id) do nothing`.execute(app.deps.db)
  const { rows } = await sql<{
    id: string
  }>`insert into brand_logos (company_id, theme, width, height, content)
    values (${companyId}, ${theme}, 8, 4, ${aPng()})
    on conflict (company_id, theme) do update set width = 8 returning id`.execute(app.deps.db)
  return rows[0]?.id ?? ''
}
