import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aServer, leaveApp, prepareBrowser, renderApp, theSession } from '#tests/web/render-app.tsx'
import { aSession } from '#tests/web/session-builder.ts'
import { aTool } from '#tests/web/tool-builder.ts'

const user = userEvent.setup()
const session = aSession({ title: 'Renewals' })
beforeEach(() => prepareBrowser())
afterEach(leaveApp)

describe('the switch of a tool', () => {
  it('offers a tool to the chat or withholds it, which also deselects it', async () => {
    let offered = ['calculator', 'web_lookup']
    const path = `/sessions/${session.id}/tools`
    await renderApp('/tools', {
      token: 't',
      answers: aServer({
        ...theSession(session),
        'GET /tools': () => [aTool({ id: 'calculator', ui_name: 'Calculator' })],
        [`GET ${path}`]: () => ({ tool_ids: offered }),
        [`PUT ${path}`]: ({ body }) => {
          const { tool_id, is_offered } = body as { tool_id: string; is_offered: boolean }
          offered = offered.filter((id) => id !== tool_id)
          if (is_offered) offered = [...offered, tool_id]
          return { tool_ids: offered }
        },
      }),
    })
    const heading = await screen.findByRole('heading', { name: 'Calculator', level: 2 })
    const card = heading.closest('li') as HTMLElement
    const offer = await within(card).findByRole<HTMLInputElement>('switch', {
      name: 'Offer Calculator in this chat',
    })
    const choice = within(card).getByRole<HTMLInputElement>('checkbox')
    await waitFor(() => expect([offer.checked, offer.disabled]).toEqual([true, false]))
    await user.click(choice)
    await user.click(offer)
    await waitFor(() => expect(offered).toEqual(['web_lookup']))
    expect([offer.checked, choice.checked, choice.disabled]).toEqual([false, false, true])
    await user.click(offer)
    await waitFor(() => expect(offered).toEqual(['web_lookup', 'calculator']))
    expect(choice.disabled).toBe(false)
  })
})
