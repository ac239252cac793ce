import * as z from 'zod/mini'
import { route } from '../../platform/http.ts'
import { atMost, Id, Language, label, text, trimmed } from '../../platform/primitives.ts'

export const MAX_LOGO_BYTES = 256 * 1024
export const MAX_BRAND_NAME = 40
const MAX_ADDRESS = 254

/** A colour as `#rrggbb`, in lower case. */
const Hex = z.string().check(z.maxLength(7, { abort: true }), z.regex(/^#[0-9a-f]{6}$/))

/** The colours that are derived from an accent for one theme. */
export const BrandColours = z.object({
  accent: Hex,
  accent_hover: Hex,
  accent_fg: Hex,
  accent_soft: Hex,
  accent_line: Hex,
  focus: Hex,
  mark_from: Hex,
  mark_to: Hex,
})
export type BrandColours = z.infer<typeof BrandColours>

export const BrandTheme = z.enum(['light', 'dark'])
export type BrandTheme = z.infer<typeof BrandTheme>

/** How the product looks for the people of a company. Null fields are those of the product. */
export const Brand = z.object({
  /** Changes with every change of the brand. */
  version: z.string(),
  name: z.nullable(z.string()),
  colours: z.nullable(z.object({ light: BrandColours, dark: BrandColours })),
  /** Addresses of the logo; `ratio` is its width by its height. */
  logo: z.nullable(z.object({ light: z.string(), dark: z.string(), ratio: z.number() })),
})
export type Brand = z.infer<typeof Brand>

/** The settings of a brand. */
export const CompanyBrand = z.object({
  name: z.nullable(z.string()),
  accent: z.nullable(Hex),
  sender_name: z.nullable(z.string()),
  /** Sender of mails, in a domain that is verified for the company. */
  sender_address: z.nullable(z.string()),
  reply_to: z.nullable(z.string()),
  /** Addresses of the uploaded logos. The light one is shown in the dark theme if there is no other. */
  logos: z.object({ light: z.nullable(z.string()), dark: z.nullable(z.string()) }),
  /** The brand as people see it; null while nothing is set. */
  brand: z.nullable(Brand),
})
export type CompanyBrand = z.infer<typeof CompanyBrand>

const Address = trimmed(3, MAX_ADDRESS).check(z.regex(/^[^\s\p{C}@<>",;:()]+@[^\s\p{C}@<>",;:()]+$/u))
const path = '/admin/companies/:companyId/brand'
const params = z.object({ companyId: Id })
const logoParams = z.object({ companyId: Id, theme: BrandTheme })

export const getBrand = route({
  method: 'GET',
  path: '/brand',
  access: 'public',
  summary:
    'The brand of the caller’s company, of the company with a verified mail domain, or of the only company of the installation',
  query: z.object({ domain: z.optional(text(1, 253)) }),
  answer: z.object({ brand: z.nullable(Brand) }),
})

export const getBrandLogo = route({
  method: 'GET',
  path: '/brand-logos/:logoId',
  access: 'public',
  may: null,
  summary: 'A logo of a brand',
  sends: 'image/png',
  params: z.object({ logoId: Id }),
})

/** The `version` of a brand begins with the id of its company. */
export const getBrandManifest = route({
  method: 'GET',
  path: '/brand-manifests/:brandVersion/:lng',
  access: 'public',
  may: null,
  summary: 'The description of the installed product with the name, the colour and the logo of a brand',
  sends: 'application/manifest+json',
  params: z.object({
    brandVersion: z
      .string()
      .check(atMost(60), z.regex(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}-\d{1,10}$/)),
    lng: Language,
  }),
})

export const getCompanyBrand = route({
  method: 'GET',
  path,
  access: 'admin',
  may: 'manage company',
  summary: 'Name, colours, logos and mail sender of a company',
  params,
  answer: CompanyBrand,
})

export const changeCompanyBrand = route({
  method: 'PUT',
  path,
  access: 'admin',
  may: 'manage company',
  summary: 'Change name, accent colour and mail sender of a company',
  params,
  body: z.object({
    name: z.nullable(label(1, MAX_BRAND_NAME)),
    accent: z.nullable(Hex),
    sender_name: z.nullable(label(1, MAX_BRAND_NAME)),
    sender_address: z.nullable(Address),
    reply_to: z.nullable(Address),
  }),
  answer: CompanyBrand,
})

export const resetCompanyBrand = route({
  method: 'DELETE',
  path,
  access: 'admin',
  may: 'manage company',
  summary: 'Return to the name, colours and sender of the product, and delete the logos',
  params,
  answer: CompanyBrand,
})

export const putBrandLogo = route({
  method: 'PUT',
  path: `${path}/logos/:theme`,
  access: 'admin',
  may: 'manage company',
  fails: ['malformed', 'too_large'],
  upload: true,
  summary: 'Upload the logo for a theme: PNG, JPEG, WebP or SVG, at most 256 kB',
  params: logoParams,
  answer: CompanyBrand,
})

export const deleteBrandLogo = route({
  method: 'DELETE',
  path: `${path}/logos/:theme`,
  access: 'admin',
  may: 'manage company',
  summary: 'Remove the logo of a theme',
  params: logoParams,
  answer: CompanyBrand,
})
