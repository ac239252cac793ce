import type { FastifyRequest } from 'fastify'
import type { Transaction } from 'kysely'
import type { AuditAction, AuditChange } from '#shared/identity/audit/audit.ts'
import * as contract from '#shared/identity/branding/branding.ts'
import { PRODUCT_NAME } from '#shared/identity/branding/product-name.ts'
import { AppError } from '#shared/platform/errors.ts'
import type { Language } from '#shared/platform/primitives.ts'
import { manifestIn } from '#shared/platform/web-manifest.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { type Caller, type Server, serve } from '../../platform/http/serve.ts'
import { readTexts } from '../../platform/http/translations/read-texts.ts'
import type { Platform } from '../../platform/platform.ts'
import { checkout } from '../../platform/process/checkout.ts'
import { actorOf, changed, writeAudit } from '../audit/audit.ts'
import {
  type BrandFields,
  deleteLogo,
  deleteLogos,
  findBrand,
  findBrandOf,
  findBrandOfDomain,
  findOnlyBrand,
  isVerifiedFor,
  lockCompanyForBrand,
  readLogo,
  type StoredBrand,
  saveBrand,
  saveLogo,
} from './brand-store.ts'
import { receiveLogo } from './read-logo.ts'
import { showBrand, showCompanyBrand } from './show-brand.ts'

export { findMailLook, type MailLook, wearLook } from './mail-look.ts'

type Trx = Transaction<Tables>
type By = { user: Caller; request: FastifyRequest; companyId: string }

/** Serves the brands of companies: to administrators who set them, and to everyone who sees their pages. */
export function serveBranding(server: Server, deps: Platform): void {
  const { db } = deps
  serve(server, contract.getBrand, {
    handle: async ({ user, query: { domain } }) => ({
      brand: user ? await brandOf(deps, user.id) : showBrand(await findPublicBrand(deps, domain)),
    }),
  })
  serve(server, contract.getBrandLogo, {
    handle: async ({ params: { logoId }, reply }) => {
      const logo = await readLogo(db, logoId)
      if (!logo) throw new AppError('not_found', 'This logo is not there any more.')
      await reply
        .header('content-type', 'image/png')
        .header('content-disposition', 'inline; filename="logo.png"')
        .header('content-security-policy', "sandbox; default-src 'none'")
        .header('x-content-type-options', 'nosniff')
        // A new logo has a new address.
        .header('cache-control', 'public, max-age=31536000, immutable')
        .send(logo.content)
      // The picture itself is the response.
      return undefined as never
    },
  })
  serve(server, contract.getBrandManifest, {
    handle: async ({ params: { brandVersion, lng }, reply }) => {
      const manifest = await describeInstalled(deps, brandVersion.slice(0, UUID_LENGTH), lng)
      await reply
        .header('content-type', 'application/manifest+json')
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', 'public, max-age=300')
        .send(JSON.stringify(manifest))
      return undefined as never
    },
  })
  serveAdministration(server, deps)
}

const UUID_LENGTH = 36

/** Describes the installed product as people of a company see it. A logo is its icon if it is square. */
async function describeInstalled({ db }: Platform, companyId: string, language: Language) {
  const { nav } = readTexts(checkout, language, 'common') as {
    nav: Record<'new_chat' | 'search' | 'inbox', string>
  }
  const { name, colours, logo } = (await brandOfCompany({ db }, companyId)) ?? {}
  return manifestIn(language, nav, {
    name: name ?? PRODUCT_NAME,
    colour: colours?.light.accent,
    icon: logo && Math.abs(logo.ratio - 1) < 0.05 ? logo.light : undefined,
  })
}

/** Returns the brand that a person sees: that of their oldest company with one; null for the product's own look. */
export async function brandOf({ db }: Pick<Platform, 'db'>, userId: string): Promise<contract.Brand | null> {
  return showBrand(await findBrandOf(db, userId))
}

/** Returns a brand as the optional field of an answer. */
export const brandField = (brand: contract.Brand | null) => (brand ? { brand } : {})

/** Returns the brand of a company's public pages; null for the product's own look. */
export async function brandOfCompany(
  { db }: Pick<Platform, 'db'>,
  companyId: string,
): Promise<contract.Brand | null> {
  return showBrand(await findBrand(db, companyId))
}

/** Returns the brand before anyone has signed in. */
async function findPublicBrand({ db }: Platform, domain: string | undefined): Promise<StoredBrand | null> {
  const found = domain ? await findBrandOfDomain(db, domain.toLowerCase()) : null
  return found ?? findOnlyBrand(db)
}

function serveAdministration(server: Server, deps: Platform): void {
  const { db } = deps
  serve(server, contract.getCompanyBrand, {
    handle: async ({ params: { companyId } }) => showCompanyBrand(await findBrand(db, companyId)),
  })
  serve(server, contract.changeCompanyBrand, {
    handle: ({ user, request, params: { companyId }, body }) =>
      change(deps, { user, request, companyId }, async (trx, before) => {
        await assertMaySend(trx, companyId, body.sender_address)
        await saveBrand(trx, companyId, body)
        return { did: 'brand.changed', changes: changesOf(before, body) }
      }),
  })
  serve(server, contract.resetCompanyBrand, {
    handle: ({ user, request, params: { companyId } }) =>
      change(deps, { user, request, companyId }, async (trx, before) => {
        await saveBrand(trx, companyId, nothing)
        await deleteLogos(trx, companyId)
        const logos = before?.light || before?.dark ? changed('logo', 'set', null) : []
        return { did: 'brand.reset', changes: [...changesOf(before, nothing), ...logos] }
      }),
  })
  serve(server, contract.putBrandLogo, {
    handle: async ({ user, request, params: { companyId, theme } }) => {
      const logo = await receiveLogo(deps, request)
      return change(deps, { user, request, companyId }, async (trx, before) => {
        await saveBrand(trx, companyId)
        await saveLogo(trx, { companyId, theme }, logo)
        const size = `${logo.width}×${logo.height}`
        return { did: 'brand.changed', changes: changed(`logo_${theme}`, sizeOf(before, theme), size) }
      })
    },
  })
  serve(server, contract.deleteBrandLogo, {
    handle: ({ user, request, params: { companyId, theme } }) =>
      change(deps, { user, request, companyId }, async (trx, before) => {
        if (!(await deleteLogo(trx, { companyId, theme }))) return null
        await saveBrand(trx, companyId)
        return { did: 'brand.changed', changes: changed(`logo_${theme}`, sizeOf(before, theme), null) }
      }),
  })
}

type Done = { did: AuditAction; changes: AuditChange[] } | null

/** Changes a brand under the lock of its company, with an audit entry unless nothing changed. @throws AppError `not_found` */
async function change(
  { db, clock }: Platform,
  { user, request, companyId }: By,
  act: (trx: Trx, before: StoredBrand | null) => Promise<Done>,
): Promise<contract.CompanyBrand> {
  return db.transaction().execute(async (trx) => {
    const subject = await lockCompanyForBrand(trx, companyId)
    if (subject === undefined) throw new AppError('not_found', 'Company not found')
    const done = await act(trx, await findBrand(trx, companyId))
    if (done && done.changes.length > 0)
      await writeAudit(trx, clock.now(), { actor: actorOf(user, request), subject, companyId, ...done })
    return showCompanyBrand(await findBrand(trx, companyId))
  })
}

/** @throws AppError `invalid` for an address outside of the verified domains of the company */
async function assertMaySend(trx: Trx, companyId: string, address: string | null): Promise<void> {
  if (address === null) return
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  if (await isVerifiedFor(trx, companyId, domain)) return
  const message = `Verify the domain ${domain} for the company first.`
  throw new AppError('invalid', message, { errors: [{ path: 'sender_address', message }] })
}

const nothing: BrandFields = {
  name: null,
  accent: null,
  sender_name: null,
  sender_address: null,
  reply_to: null,
}

function changesOf(before: BrandFields | null, after: BrandFields): AuditChange[] {
  const names = Object.keys(nothing) as (keyof BrandFields)[]
  return names.flatMap((name) => changed(name, before?.[name] ?? null, after[name]))
}

function sizeOf(brand: StoredBrand | null, theme: contract.BrandTheme): string | null {
  const logo = brand?.[theme]
  return logo ? `${logo.width}×${logo.height}` : null
}
