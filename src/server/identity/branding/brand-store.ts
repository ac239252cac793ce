import { type Kysely, sql, type Transaction } from 'kysely'
import type { BrandTheme } from '#shared/identity/branding/branding.ts'
import type { Tables } from '../../platform/db/tables.ts'

type Db = Kysely<Tables>
type Trx = Transaction<Tables>

/** The settings of a brand. */
export type BrandFields = {
  name: string | null
  accent: string | null
  sender_name: string | null
  sender_address: string | null
  reply_to: string | null
}
type StoredLogo = { id: string; width: number; height: number }
export type StoredBrand = BrandFields & {
  company_id: string
  version: number
  light: StoredLogo | null
  dark: StoredLogo | null
  /** The domain of the sender's address is verified for the company. */
  may_send: boolean
}
export type Logo = { content: Buffer; width: number; height: number }

const logoOf = (
  theme: BrandTheme,
) => sql`(select jsonb_build_object('id', l.id, 'width', l.width, 'height', l.height)
  from brand_logos l where l.company_id = b.company_id and l.theme = ${theme})`
const columns = sql`b.company_id, b.version, b.name, b.accent, b.sender_name, b.sender_address, b.reply_to,
  ${logoOf('light')} as light, ${logoOf('dark')} as dark,
  exists (select from company_domains d where d.company_id = b.company_id and d.verified_at is not null
    and d.domain = lower(split_part(b.sender_address, '@', 2))) as may_send`

export async function findBrand(db: Db, companyId: string): Promise<StoredBrand | null> {
  const { rows } = await sql<StoredBrand>`select ${columns} from company_brands b
    where b.company_id = ${companyId}`.execute(db)
  return rows[0] ?? null
}

/** A brand that was reset, or lost its only logo, is none. */
const isSet = sql`(num_nonnulls(b.name, b.accent, b.sender_name, b.sender_address, b.reply_to) > 0
  or exists (select from brand_logos l where l.company_id = b.company_id))`

/** Returns the brand of a person: that of their oldest company with one. */
export async function findBrandOf(db: Db, userId: string): Promise<StoredBrand | null> {
  const { rows } = await sql<StoredBrand>`select ${columns} from company_brands b
    join company_members m on m.company_id = b.company_id join companies c on c.id = b.company_id
    where m.user_id = ${userId} and ${isSet} order by c.created_at, c.id limit 1`.execute(db)
  return rows[0] ?? null
}

/** Returns the brand of the company that verified a lower-case mail domain; null when it has none. */
export async function findBrandOfDomain(db: Db, domain: string): Promise<StoredBrand | null> {
  const { rows } = await sql<StoredBrand>`select ${columns} from company_brands b
    join company_domains v on v.company_id = b.company_id
    where v.domain = ${domain} and v.verified_at is not null limit 1`.execute(db)
  return rows[0] ?? null
}

export async function isVerifiedFor(db: Db, companyId: string, domain: string): Promise<boolean> {
  const { rows } = await sql<{ is_verified: boolean }>`select exists (select from company_domains
    where company_id = ${companyId} and domain = ${domain} and verified_at is not null) as is_verified`.execute(
    db,
  )
  return rows[0]?.is_verified ?? false
}

/** Returns the brand of the only company; null when there are several. */
export async function findOnlyBrand(db: Db): Promise<StoredBrand | null> {
  const { rows } = await sql<StoredBrand>`select ${columns} from company_brands b
    where not exists (select from companies other where other.id <> b.company_id) limit 1`.execute(db)
  return rows[0] ?? null
}

/** Locks a company, so that its brand has one change after another. Returns its name; undefined when it is unknown. */
export async function lockCompanyForBrand(trx: Trx, id: string): Promise<string | undefined> {
  const row = trx.selectFrom('companies').select('name').where('id', '=', id).forUpdate()
  return (await row.executeTakeFirst())?.name
}

/** Stores the fields with the next version; without fields, only the version changes. */
export async function saveBrand(trx: Trx, companyId: string, fields?: BrandFields): Promise<void> {
  await sql`insert into company_brands (company_id, version) values (${companyId}, 1)
    on conflict (company_id) do update set version = company_brands.version + 1`.execute(trx)
  if (!fields) return
  const { name, accent, sender_name, sender_address, reply_to } = fields
  await sql`update company_brands set name = ${name}, accent = ${accent}, sender_name = ${sender_name},
    sender_address = ${sender_address}, reply_to = ${reply_to} where company_id = ${companyId}`.execute(trx)
}

/** Deletes the logos of both themes. */
export async function deleteLogos(trx: Trx, companyId: string): Promise<void> {
  await sql`delete from brand_logos where company_id = ${companyId}`.execute(trx)
}

/** Replaces the logo of a theme. */
export async function saveLogo(
  trx: Trx,
  { companyId, theme }: { companyId: string; theme: BrandTheme },
  { content, width, height }: Logo,
): Promise<void> {
  await deleteLogo(trx, { companyId, theme })
  await sql`insert into brand_logos (company_id, theme, width, height, content)
    values (${companyId}, ${theme}, ${width}, ${height}, ${content})`.execute(trx)
}

/** Returns false when there is none. */
export async function deleteLogo(
  trx: Trx,
  { companyId, theme }: { companyId: string; theme: BrandTheme },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`delete from brand_logos
    where company_id = ${companyId} and theme = ${theme}`.execute(trx)
  return numAffectedRows > 0n
}

export async function readLogo(db: Db, id: string): Promise<Logo | null> {
  const { rows } = await sql<Logo>`select content, width, height from brand_logos where id = ${id}`.execute(
    db,
  )
  return rows[0] ?? null
}
