// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import type { Brand } from '#shared/identity/branding/branding.ts'
import { aUser } from '#tests/web/render-app.tsx'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { meQuery } from '../../platform/lib/me/me.ts'
import { clearToken, setToken } from '../../platform/lib/me/token.ts'
import { useOpenBrand } from './branding.ts'

afterEach(() => {
  cleanup()
  queryClient.clear()
  clearToken()
  delete window.early
  document.head.innerHTML = ''
})

function Open() {
  useOpenBrand()
  return null
}

it('an open tab follows the brand of its person, and names it where the product is installed [GV-06]', async () => {
  document.head.innerHTML = '<link rel="manifest" href="/manifest.webmanifest">'
  setToken('secret-of-ada')
  const keep = vi.fn()
  window.early = { token: null, answers: {}, keep } as never
  const brand = (version: string): Brand => ({ version, name: version, colours: null, logo: null })
  const read = (worn: Brand | undefined) =>
    act(async () => {
      queryClient.setQueryData(meQuery.queryKey, { ...aUser(), ...(worn && { brand: worn }) })
      await new Promise((resolve) => setTimeout(resolve))
    })
  const manifest = () => document.querySelector('link')?.getAttribute('href')
  render(
    <QueryClientProvider client={queryClient}>
      <Open />
    </QueryClientProvider>,
  )
  expect(keep).not.toHaveBeenCalled()
  await read(brand('c1-1'))
  expect(keep).toHaveBeenLastCalledWith(brand('c1-1'), 't-of-ada')
  expect(manifest()).toBe('/api/v1/brand-manifests/c1-1/en')
  await read(brand('c1-2'))
  await read(brand('c1-2'))
  expect(keep).toHaveBeenCalledTimes(2)
  expect(manifest()).toBe('/api/v1/brand-manifests/c1-2/en')
  await read(undefined)
  expect(keep).toHaveBeenLastCalledWith(null, 't-of-ada')
  expect(manifest()).toBe('/manifest.webmanifest')
})
