import { screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aServer, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'
import { aTool } from '#tests/web/tool-builder.ts'

beforeEach(() => prepareBrowser())
afterEach(() => leaveApp())

const open = (path: string, more: Parameters<typeof aServer>[0]) =>
  renderApp(path, {
    token: 't',
    answers: aServer({ 'GET /tool-executions': () => ({ items: [], has_more: false }), ...more }),
  })
const tile = async (name: RegExp) =>
  (await screen.findByRole('heading', { name, level: 2 })).closest('li') as HTMLElement

describe('costs and requirements of a tool', () => {
  const drawer = aTool({
    ...{ id: 'image_generation', ui_name: 'Image generation', limit_seconds: 90, price: 'by_image' },
    missing: [{ part: 'image_model', hint: null }],
  })

  it('shows the price of each tool in the list and marks unconfigured ones [XB-13]', async () => {
    const all = [aTool({ id: 'calculator' }), drawer, aTool({ id: 'web_lookup', price: 'unpriced' })]
    await open('/tools', { 'GET /tools': () => all })
    expect((await tile(/Calculator/i)).textContent).toContain('Free')
    expect((await tile(/Web lookup/i)).textContent).toContain('Unpriced')
    const card = await tile(/Image generation/i)
    expect(card.textContent).toContain('By the image')
    expect(card.textContent).toContain('Not set up')
  })

  it("shows price, duration and missing settings on its page, with the setting's name only for users who can change it [XB-13]", async () => {
    const openIt = (hint: string | null) =>
      open('/tools/image_generation', {
        'GET /tools/image_generation': () => ({ ...drawer, missing: [{ part: 'image_model', hint }] }),
      })
    await openIt(null)
    const limits = await screen.findByRole('region', { name: 'Limits' })
    expect(limits.textContent).toMatch(/90 s.*By the image/)
    expect(screen.getByText(/An administrator can set it up/)).toBeTruthy()
    leaveApp()
    prepareBrowser()
    await openIt('ATRIUM_IMAGE_MODEL')
    expect(await screen.findByText(/name one in the setting ATRIUM_IMAGE_MODEL/)).toBeTruthy()
  })

  it('shows a disabled tool as such, lets its owner enable it, and does not run it', async () => {
    const openIt = (hint: string | null) => {
      const tool = aTool({ id: 't1_count', kind: 'mcp', missing: [{ part: 'switch', hint }] })
      return open('/tools/t1_count', { 'GET /tools/t1_count': () => tool })
    }
    await openIt('s1')
    expect(await screen.findByText('This tool is switched off.')).toBeTruthy()
    const way = screen.getByRole('link', { name: 'Switch it on again on the page of its server' })
    expect(way.getAttribute('href')).toBe('/tools/servers/s1')
    expect(screen.getByRole('button', { name: 'Run' }).hasAttribute('disabled')).toBe(true)
    leaveApp()
    prepareBrowser()
    await openIt(null)
    expect(await screen.findByText('Whoever connected its server can switch it on again.')).toBeTruthy()
  })
})
