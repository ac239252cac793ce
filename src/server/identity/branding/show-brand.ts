import { brandColours } from '#shared/identity/branding/brand-colours.ts'
import type { Brand, CompanyBrand } from '#shared/identity/branding/branding.ts'
import { API_BASE } from '#shared/platform/http.ts'
import type { StoredBrand } from './brand-store.ts'

const addressOf = (logo: { id: string }) => `${API_BASE}/brand-logos/${logo.id}`

/** Returns what people see; null when neither name, colour nor logo is set. */
export function showBrand(stored: StoredBrand | null): Brand | null {
  if (!stored) return null
  const { company_id, version, name, accent, light, dark } = stored
  const [onLight, onDark] = [light ?? dark, dark ?? light]
  if (name === null && accent === null && !onLight) return null
  const colours = accent && { light: brandColours(accent, 'light'), dark: brandColours(accent, 'dark') }
  return {
    version: `${company_id}-${version}`,
    name,
    colours: colours || null,
    logo:
      onLight && onDark
        ? { light: addressOf(onLight), dark: addressOf(onDark), ratio: onLight.width / onLight.height }
        : null,
  }
}

/** Returns what an administrator sees. */
export function showCompanyBrand(stored: StoredBrand | null): CompanyBrand {
  const {
    name = null,
    accent = null,
    sender_name = null,
    sender_address = null,
    reply_to = null,
  } = stored ?? {}
  const logo = (theme: 'light' | 'dark') => (stored?.[theme] ? addressOf(stored[theme]) : null)
  return {
    ...{ name, accent, sender_name, sender_address, reply_to },
    logos: { light: logo('light'), dark: logo('dark') },
    brand: showBrand(stored),
  }
}
