// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import i18next from 'i18next'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'
import { queryClient } from '../../platform/lib/api/query-client.ts'
import { setSidebarOpen, useLayout } from '../../platform/lib/layout.ts'
import { SLIDE_MS } from './carousel/slides.ts'
import { WAIT_MS } from './tours/on-page.ts'
import { PREPARATION_MS } from './tours/start-tour.ts'
import { tagColour, tagColours } from './tours/tags.ts'
import { tourIn, toursIn } from './tours/tours.ts'

beforeAll(() => prepareBrowser())
afterEach(() => {
  vi.useRealTimers()
  cleanup()
  leaveApp()
  useLayout.setState({ isTouring: false })
})

/** Opens the app for a user with the given preferences and records what is stored. */
async function open(
  kept: Record<string, unknown>,
  { path = '/user', language = 'en', answers = {}, hidden = [] as User['hidden_controls'] } = {},
) {
  let me: User = aUser({ preferences: kept, language: language as 'en', hidden_controls: hidden })
  const server = aServer({
    'GET /users/me': () => me,
    'PUT /users/me/preferences': ({ body }) => {
      const { preferences } = body as Pick<User, 'preferences'>
      me = { ...me, preferences: { ...me.preferences, ...preferences } }
      return me
    },
    ...answers,
  })
  const page = await renderApp(path, { token: 't', answers: server, language })
  return { ...page, kept: () => me.preferences.onboarding }
}

const settled = (...keys: string[]) => ({
  onboarding: Object.fromEntries(['welcome', ...keys].map((key) => [key, { completed: true }])),
})
const welcome = () => screen.findByRole('dialog', { name: 'Welcome to Atrium' }, { timeout: 15_000 })
const title = () => screen.getByRole('heading', { level: 2 }).textContent

async function openHelp() {
  fireEvent.click(await screen.findByRole('button', { name: 'Help and tours' }, { timeout: 15_000 }))
  return screen.findByRole('menu', { name: 'Tours' })
}

describe('welcome', () => {
  it('has seven slides, moved by buttons, numbers and arrow keys, each in 300 ms [ON-01, ON-02]', async () => {
    await open({})
    const dialog = await welcome()
    expect(SLIDE_MS).toBe(300)
    expect(dialog.style.getPropertyValue('--slide')).toBe('300ms')
    const seen = [title()]
    for (let n = 2; n <= 7; n++) {
      fireEvent.click(screen.getByRole('button', { name: 'Next' }))
      seen.push(title())
    }
    expect(seen).toEqual([
      'Welcome to Atrium',
      'An intelligent workspace',
      'AI wherever you work',
      'Agents as collaborators',
      'Understanding your data',
      'A toolkit that grows',
      "You're All Set",
    ])
    fireEvent.click(screen.getByRole('button', { name: 'Back' }))
    expect(title()).toBe('A toolkit that grows')
    fireEvent.keyDown(dialog, { key: 'ArrowLeft' })
    expect(title()).toBe('Understanding your data')
    fireEvent.keyDown(dialog, { key: 'ArrowRight' })
    expect(title()).toBe('A toolkit that grows')
    const numbers = within(screen.getByRole('group', { name: 'Slides' })).getAllByRole('button')
    expect(numbers.map((one) => one.textContent)).toEqual(['1', '2', '3', '4', '5', '6', '7'])
    fireEvent.click(numbers[2] as HTMLElement)
    expect(title()).toBe('AI wherever you work')
    expect(numbers[2]?.getAttribute('aria-current')).toBe('step')
    expect(screen.getByText(/in the chat, in a browser extension or embedded/)).toBeTruthy()
  })

  it('is in French too [ON-01]', async () => {
    await open({}, { language: 'fr' })
    await screen.findByRole('dialog', { name: 'Bienvenue dans Atrium' }, { timeout: 15_000 })
    fireEvent.click(screen.getByRole('button', { name: 'Écran 7' }))
    expect(title()).toBe('Tout est prêt\u202f!')
  })

  it.each(['Escape', 'the close button', "Let's Get Started"])(
    'never returns after %s [ON-05]',
    async (way) => {
      const { kept, unmount } = await open({})
      const dialog = await welcome()
      if (way === 'Escape') fireEvent.keyDown(dialog, { key: 'Escape' })
      else if (way === 'the close button')
        fireEvent.click(within(dialog).getByRole('button', { name: 'Close' }))
      else {
        fireEvent.click(screen.getByRole('button', { name: 'Slide 7' }))
        fireEvent.click(screen.getByRole('button', { name: way }))
      }
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
      await waitFor(() => expect(kept()).toEqual({ welcome: { completed: true } }))
      const preferences = { onboarding: kept() }
      unmount()
      queryClient.clear()
      await open(preferences)
      await screen.findByRole('button', { name: 'Help and tours' }, { timeout: 15_000 })
      expect(screen.queryByRole('dialog')).toBeNull()
    },
  )

  it('suggests two tours on the last slide and starts the selected one [ON-04]', async () => {
    await open({}, { path: '/tools' })
    await welcome()
    fireEvent.click(screen.getByRole('button', { name: 'Slide 7' }))
    expect(screen.getByRole('button', { name: /^Your first conversation/ })).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: /^Left sidebar/ }))
    await screen.findByRole('dialog', { name: 'Left sidebar, step 1 of 5' }, { timeout: 4000 })
  })
})

describe('help button', () => {
  it('lists tours by category with description, tags and completion [ON-06, ON-07]', async () => {
    await open(settled('documents'))
    const menu = await openHelp()
    expect(within(menu).getByText('1 of 7 done')).toBeTruthy()
    const group = within(menu).getByRole('group', { name: 'General' })
    const items = within(group).getAllByRole('menuitem')
    expect(items).toHaveLength(7)
    const [, first, documents] = items
    expect(first?.textContent).toBe(
      'Your first conversationSend a message, an image and a web searchchatstart here',
    )
    expect(within(first as HTMLElement).getByRole('img', { name: 'Not completed yet' })).toBeTruthy()
    expect(within(documents as HTMLElement).getByRole('img', { name: 'Completed' })).toBeTruthy()
    expect(within(first as HTMLElement).getByText('chat').dataset.colour).toBe('magenta')
    expect(within(first as HTMLElement).getByText('start here').dataset.colour).toBe('green')
  })

  it('offers no tour of a page or a control that is hidden [GV-08]', async () => {
    await open(settled(), { hidden: ['uploads', 'create_assistant'] })
    const items = within(await openHelp()).getAllByRole('menuitem')
    expect(items.map(({ textContent }) => textContent?.slice(0, 8))).toEqual([
      'Left sid',
      'Your fir',
      'Your pro',
      'Preferen',
      'File pre',
    ])
  })

  it('leaves the steps of a hidden control out of a tour [GV-08]', async () => {
    const { unmount } = await open(settled(), { path: '/', hidden: ['uploads'] })
    await begin('Your first conversation')
    await step('Your first conversation, step 1 of 4')
    unmount()
    queryClient.clear()
    useLayout.setState({ isTouring: false })
    await open(settled(), { path: '/' })
    await begin('Your first conversation')
    await step('Your first conversation, step 1 of 6')
  })

  it('assigns each tag one of five colours, always the same [ON-08]', () => {
    expect(tagColours).toEqual(['cyan', 'magenta', 'green', 'orange', 'blue'])
    const tags = ['navigation', 'chat', 'start', 'assistants', 'documents', 'account', 'écriture']
    expect(new Set(tags.map(tagColour))).toEqual(new Set(tagColours))
    expect(tags.map(tagColour)).toEqual(tags.map(tagColour))
  })

  it('offers the preview tour only while a preview is open [ON-09]', async () => {
    const { router } = await open(settled())
    const item = () => screen.getByRole('menuitem', { name: /File preview/ })
    await openHelp()
    expect(item().getAttribute('aria-disabled')).toBe('true')
    expect(item().dataset.tip).toBe('Open a document first')
    await act(() => router.navigate({ href: '/documents/preview/1' }))
    if (!screen.queryByRole('menu')) await openHelp()
    expect(item().getAttribute('aria-disabled')).toBeNull()
    expect(item().dataset.tip).toBeUndefined()
  })

  it('lists seven tours with name, description, category, tags and steps [ON-10]', () => {
    const tours = toursIn(((key: string) => key) as never)
    expect(tours.map(({ key }) => key)).toEqual([
      ...['leftSidebar', 'firstConversation', 'documents', 'assistants'],
      ...['userView', 'preferences', 'filePreview'],
    ])
    for (const { key, name, description, category, tags, steps } of tours) {
      expect([name, description]).toEqual([
        `onboarding:tours.${key}.name`,
        `onboarding:tours.${key}.description`,
      ])
      expect(category).toBe('onboarding:category.general')
      expect(tags.length).toBeGreaterThan(0)
      expect(steps.length).toBeGreaterThan(2)
    }
  })
})

/** Starts a tour from the menu. */
async function begin(name: string) {
  await openHelp()
  fireEvent.click(screen.getByRole('menuitem', { name: new RegExp(name) }))
}
const step = (name: string) => screen.findByRole('dialog', { name }, { timeout: 4000 })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

describe('tour', () => {
  it('opens its view and the sidebar, and starts after 300, 400 and 100 ms [ON-11]', async () => {
    expect(PREPARATION_MS).toEqual({ route: 300, sidebar: 400, rest: 100 })
    const { hrefNow } = await open(settled(), { path: '/tools' })
    await act(() => setSidebarOpen(false))
    await begin('Preferences')
    const began = performance.now()
    await waitFor(() => expect(hrefNow()).toBe('/user/preferences'))
    expect(useLayout.getState().isSidebarOpen).toBe(false)
    await waitFor(() => expect(useLayout.getState().isSidebarOpen).toBe(true))
    expect(performance.now() - began).toBeGreaterThanOrEqual(290)
    expect(screen.queryByRole('dialog')).toBeNull()
    await step('Preferences, step 1 of 4')
    expect(performance.now() - began).toBeGreaterThanOrEqual(790)
  })

  it('moves forward and back, and is completed at the end [ON-13, ON-16]', async () => {
    const { kept } = await open(settled('leftSidebar'))
    await begin('Preferences')
    await step('Preferences, step 1 of 4')
    press('Next')
    await step('Preferences, step 2 of 4')
    press('Back')
    await step('Preferences, step 1 of 4')
    for (const n of [2, 3, 4]) {
      press('Next')
      await step(`Preferences, step ${n} of 4`)
    }
    expect(kept()).not.toHaveProperty('preferences')
    press('Finish')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(kept()).toEqual(settled('leftSidebar', 'preferences').onboarding))
  })

  it.each(['Skip tour', 'Stop the tour', 'Escape'])('is completed when skipped: %s [ON-16]', async (way) => {
    const { kept } = await open(settled())
    await begin('Preferences')
    const dialog = await step('Preferences, step 1 of 4')
    if (way === 'Escape') fireEvent.keyDown(dialog, { key: 'Escape' })
    else press(way)
    await waitFor(() => expect(kept()).toHaveProperty('preferences', { completed: true }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('reports after 5 s that its view did not appear [ON-12]', async () => {
    expect(WAIT_MS).toBe(5000)
    // The target of the preview tour never appears.
    const { kept } = await open(settled(), { path: '/documents/preview/1' })
    await begin('File preview')
    const began = performance.now()
    await screen.findByText('Could not start tour: view took too long to load.', {}, { timeout: 9000 })
    expect(performance.now() - began).toBeGreaterThanOrEqual(5000)
    expect(kept()).toEqual(settled().onboarding)
  }, 15_000)

  it('waits up to 5 s for the next target, then stops [ON-15]', async () => {
    const { kept } = await open(settled())
    await begin('Preferences')
    await step('Preferences, step 1 of 4')
    const theme = document.querySelector('[data-tour="theme"]')
    const bio = document.querySelector('[data-tour="bio"]')
    theme?.removeAttribute('data-tour')
    press('Next')
    setTimeout(() => theme?.setAttribute('data-tour', 'theme'), 1000)
    await step('Preferences, step 2 of 4')
    bio?.removeAttribute('data-tour')
    const began = performance.now()
    press('Next')
    await screen.findByText('The tour ends here: its next place did not appear.', {}, { timeout: 9000 })
    expect(performance.now() - began).toBeGreaterThanOrEqual(4900)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(kept()).not.toHaveProperty('preferences')
  }, 20_000)

  it('opens the profile tabs as it reaches them [ON-14]', async () => {
    const { hrefNow } = await open(settled(), { path: '/tools' })
    await begin('Your profile')
    await step('Your profile, step 1 of 3')
    press('Next')
    await step('Your profile, step 2 of 3')
    expect(hrefNow()).toBe('/user/security')
    press('Next')
    await step('Your profile, step 3 of 3')
    expect(hrefNow()).toBe('/user/billing')
  })
})

it('leaves the replies of the first conversation bright and uncovered', () => {
  const { steps } = tourIn(i18next.t, 'firstConversation')
  const replies = steps.filter(({ key }) => key.endsWith('reply'))
  expect(replies.map(({ over }) => over)).toEqual(replies.map(() => '[data-composer]'))
  const later = steps.slice(1).filter(({ target }) => target === '[data-composer]')
  expect(later.map(({ isBright }) => isBright)).toEqual([true, true])
})
