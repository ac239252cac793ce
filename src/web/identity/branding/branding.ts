import i18next from 'i18next'
import { useEffect } from 'react'
import { type Brand, getBrand } from '#shared/identity/branding/branding.ts'
import { call } from '../../platform/lib/api/call.ts'
import { getToken, useToken } from '../../platform/lib/me/token.ts'

/** Shows a brand on this page only; stored are those of persons and of the sign-in page. */
export async function wearBrand(brand: Brand | null): Promise<void> {
  await changeBrand(() => window.early?.wear(brand))
  document.documentElement.removeAttribute('data-unbranded')
}

/** Shows the brand of the signed-in person, or of the sign-in page, from now on. */
export async function keepBrand(brand: Brand | null): Promise<void> {
  await changeBrand(() => window.early?.keep(brand, getToken()?.slice(-8) ?? null))
}

let latest = 0

/**
 * Shows the brand of the caller, or of those with an address in a mail domain, from now on. A failure changes nothing, nor does an answer
 * for another person or before a later request.
 */
export async function followBrand(domain?: string): Promise<void> {
  const [token, request] = [getToken(), ++latest]
  const found = await call(getBrand, { query: domain ? { domain } : {}, quiet: true }).catch(() => null)
  if (found && request === latest && token === getToken()) await keepBrand(found.brand)
}

/** Shows the brand of the person who signs in, and, once an address is typed, that of its mail domain. After signing out, it is the one for everyone. */
export function useFollowBrand(): void {
  const token = useToken()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the token decides whose brand it is.
  useEffect(() => void followBrand(), [token])
  useEffect(() => {
    const onLeave = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLInputElement) || target.name !== 'username') return
      const [, domain] = /@([^\s@]+\.[^\s@]+)$/.exec(target.value.trim()) ?? []
      void followBrand(domain)
    }
    document.addEventListener('focusout', onLeave)
    return () => document.removeEventListener('focusout', onLeave)
  }, [])
}

/** Loads the texts again when the product has another name afterwards. */
async function changeBrand(change: () => void): Promise<void> {
  const nameNow = () => window.early?.brand?.name ?? null
  const before = nameNow()
  change()
  if (nameNow() === before) return
  await i18next.reloadResources()
  await i18next.changeLanguage(i18next.language)
}
