import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'
import type { Sent } from '#tests/web/render-page.tsx'

const user = userEvent.setup()
beforeEach(() => prepareBrowser())
afterEach(() => leaveApp())

const id = (n: number) => `22222222-2222-4222-8222-${String(n).padStart(12, '0')}`
const hit = (n: number, more: object = {}) => ({
  ...{ kind: 'chat', id: id(n), thing_id: id(100), title: 'Lease', is_title: false },
  ...{ excerpt: `The \uE000rent\uE001 ${n}`, at: '2026-11-01T00:00:00.000Z' },
  ...{ person: { id: id(7), name: 'Ada' }, project: null, model_name: null, page_number: null },
  ...{ is_archived: false, ...more },
})

async function open(path: string, groups: (sent: Sent) => object[]) {
  const answers = {
    'GET /search': (sent: Sent) => ({ groups: groups(sent), project_name: null }),
    'GET /projects': () => ({ items: [] }),
    'GET /session-marks/tags': () => ({ items: [] }),
    'GET /available-models': () => [],
  }
  const app = await renderApp(path, { token: 't', answers: aServer(answers, aUser()) })
  return { ...app, field: await screen.findByRole('textbox', { name: /^Search chats/ }) }
}

describe('the search page', () => {
  it('sends the words once typing pauses, and writes them into the address', async () => {
    const { field, called, hrefNow } = await open('/search', () => [
      { kind: 'chat', items: [hit(1)], cursor: null },
    ])
    await user.type(field, 'rent')
    const row = await screen.findByRole('link', { name: /The rent 1/ })
    expect(row.getAttribute('href')).toBe(`/chat/${id(100)}?message=${id(1)}`)
    expect(row.querySelector('mark')?.textContent).toBe('rent')
    expect(called('GET /search').map(({ query }) => query.get('q'))).toEqual(['rent'])
    expect(hrefNow()).toBe('/search?q=rent')
  })

  it('shows content of a hit as text', async () => {
    await open('/search?q=rent', () => [
      { kind: 'chat', items: [hit(1, { excerpt: '<img src=x> \uE000rent\uE001' })], cursor: null },
    ])
    const row = await screen.findByRole('link', { name: /<img src=x> rent/ })
    expect(row.querySelector('img')).toBeNull()
  })

  it('appends the next hits of one type', async () => {
    const { called } = await open('/search?q=rent&type=chat', ({ query }) => [
      query.has('after')
        ? { kind: 'chat', items: [hit(2)], cursor: null }
        : { kind: 'chat', items: [hit(1)], cursor: `5_${id(1)}` },
    ])
    await screen.findByRole('link', { name: /The rent 1/ })
    const section = within(screen.getByRole('main'))
    await user.click(section.getByRole('button', { name: 'Show more: Chats' }))
    await section.findByRole('link', { name: /The rent 2/ })
    const { query } = called('GET /search').at(-1)!
    expect([query.get('kinds'), query.get('after')]).toEqual(['chat', `5_${id(1)}`])
    await waitFor(() => expect(section.queryByRole('button', { name: /Show more/ })).toBeNull())
  })

  it('leaves out what is wrong in the address', async () => {
    const { called } = await open('/search?q=rent&type=nonsense&project=1&from=yesterday', () => [])
    await screen.findByText('Nothing contains “rent”.')
    expect(String(called('GET /search')[0]?.query)).toBe('q=rent')
  })
})
