import { useQuery } from '@tanstack/react-query'
import i18next from 'i18next'
import { useEffect } from 'react'
import { type Brand, getBrand } from '#shared/identity/branding/branding.ts'
import { currentLanguage, useTranslation } from '../../platform/i18n/i18n.ts'
import { call } from '../../platform/lib/api/call.ts'
import { meQuery } from '../../platform/lib/me/me.ts'
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
 * Shows the brand of the caller with this token, or of those with an address in a mail domain, from now on. A failure changes nothing, nor
 * does an answer for another person or before a later request.
 */
export async function followBrand(domain?: string, token = getToken()): Promise<void> {
  const request = ++latest
  const found = await call(getBrand, { query: domain ? { domain } : {}, quiet: true }).catch(() => null)
  if (found && request === latest && token === getToken()) await keepBrand(found.brand)
}

/** Shows the brand of the person who signs in, and, once an address is typed, that of its mail domain. After signing out, it is the one for everyone. */
export function useFollowBrand(): void {
  const token = useToken()
  useEffect(() => void followBrand(undefined, token), [token])
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

/** Follows the brand of the signed-in person in an open tab, and names it in the manifest from which the product is installed. */
export function useOpenBrand(): void {
  // The shell reads the person again every few seconds.
  const { data: me } = useQuery({ ...meQuery, enabled: false })
  useTranslation('common')
  const language = currentLanguage()
  const [id, brand] = [me?.id, me?.brand ?? null]
  // The query cache returns the same object until the brand changes.
  useEffect(() => {
    if (id !== undefined) void keepBrand(brand)
  }, [id, brand])
  useEffect(() => {
    const link = document.querySelector('link[rel="manifest"]')
    const own = language === 'en' ? '/manifest.webmanifest' : `/manifest.${language}.webmanifest`
    link?.setAttribute('href', brand ? `/api/v1/brand-manifests/${brand.version}/${language}` : own)
  }, [brand, language])
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
