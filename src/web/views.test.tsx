// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { Suspense } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { leavePage, renderPage } from '#tests/web/render-page.tsx'
import { aUser } from '#tests/web/user-builder.ts'

afterEach(leavePage)

it.each(['forRole', 'forFeature'] as const)('%s loads its guard together with the view', async (name) => {
  // Each case loads the modules afresh, so that the guard is not there yet.
  vi.resetModules()
  const { forRole, forFeature } = await import('./views.tsx')
  const Shown = Object.assign(() => <h1>Shown</h1>, { preload: async () => undefined })
  const Guarded = name === 'forRole' ? forRole(() => true, Shown) : forFeature('webhooks', Shown)
  await Guarded.preload()
  const wait = vi.fn(() => null)
  const Waiting = wait
  const page = (
    <Suspense fallback={<Waiting />}>
      <Guarded />
    </Suspense>
  )
  await renderPage(page, { answers: { 'GET /users/me': () => aUser({}) } })
  await screen.findByRole('heading', { name: 'Shown' })
  expect(wait).not.toHaveBeenCalled()
})
