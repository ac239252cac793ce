import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Share, Shares } from '#shared/identity/sharing/sharing.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'
import type { Answers } from '#tests/web/render-page.tsx'

const user = userEvent.setup()
beforeEach(() => prepareBrowser())
afterEach(() => leaveApp())

const id = '22222222-2222-4222-8222-000000000001'
const desk = {
  ...{ id, name: 'Desk', description: '', icon: null, agent_type: 'multi_turn', model_name: null },
  ...{ system_prompt: '', example_prompts: [], temperature: null, documents: [], workspaces: [] },
  ...{ tools: null, status: 'draft', shared: true, own: true, built_in: false, can_edit: true },
  ...{ can_share: true, can_hand_over: false, shared_by: null, shares: [], version: 3 },
  ...{ document_count: 0, tool_count: null, created_at: null, updated_at: null },
}
const sales = '33333333-3333-4333-8333-000000000001'
const share = (more: Partial<Share> = {}): Share => ({
  ...{ id: '44444444-4444-4444-8444-000000000001', who: 'company', recipient_id: sales, name: 'Orsane UK' },
  ...{ company: null, access: 'use', shared_by: 'Claire Delmas', created_at: '2026-11-01T10:00:00Z' },
  ...{ can_remove: true, ...more },
})
const path = `/assistants/${id}/shares`

/** Opens the share dialog of an assistant whose shares are kept as on the server. */
async function open(first: Share[], may: Shares['may'], more: Answers = {}) {
  let items = first
  const page = await renderApp(`/assistant/${id}`, {
    token: 't',
    answers: aServer({
      'GET /assistants': () => [desk],
      [`GET /assistants/${id}`]: () => desk,
      'GET /available-models': () => [],
      [`GET ${path}`]: () => ({ items, may }),
      [`POST ${path}`]: ({ body }) => {
        const { recipient, access } = body as {
          recipient: { who: Share['who']; id?: string }
          access: Share['access']
        }
        const { who, id: recipient_id = null } = recipient
        const name = who === 'everybody' ? null : 'Orsane UK'
        items = [
          ...items.filter((one) => one.recipient_id !== recipient_id),
          share({ who, recipient_id, name, access }),
        ]
        return { items, may }
      },
      [`DELETE ${path}/${share().id}`]: () => {
        items = items.filter((one) => one.id !== share().id)
        return { message: 'The share was ended.' }
      },
      ...more,
    }),
  })
  await user.click(await screen.findByRole('button', { name: 'Share' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Share Desk' }))
  await dialog.findByText('Who can use it')
  return { ...page, dialog }
}
const others = { everybody: false, others: true, projects: false }

describe('share dialog', () => {
  it('finds a recipient by name and shares with Enter', async () => {
    const found = [
      { who: 'company', id: sales, name: 'Orsane UK', detail: null },
      { who: 'group', id: '33333333-3333-4333-8333-000000000002', name: 'Orders', detail: 'Orsane UK' },
    ]
    const { dialog, called } = await open([], others, {
      'GET /share-recipients': () => ({ items: found, has_more: true }),
    })
    expect(dialog.getByText('Only you. It is not shared.')).toBeTruthy()
    expect(dialog.queryByRole('switch')).toBeNull()
    await user.type(dialog.getByRole('combobox'), 'or')
    expect(await dialog.findAllByRole('option')).toHaveLength(2)
    expect(dialog.getByText('Group of Orsane UK')).toBeTruthy()
    expect(dialog.getByText('There are more. Type more of the name.')).toBeTruthy()
    await user.keyboard('{ArrowDown}{ArrowUp}{Enter}')
    expect(await dialog.findByText('Orsane UK')).toBeTruthy()
    const recipient = { who: 'company', id: sales }
    expect(called(`POST ${path}`)[0]?.body).toEqual({ recipient, access: 'use' })
    expect((dialog.getByRole('combobox', { name: /^Add/ }) as HTMLInputElement).value).toBe('')
  })

  it('says when no one matches, and does not offer those it is shared with', async () => {
    const { dialog } = await open([share()], others, {
      'GET /share-recipients': () => ({
        items: [{ who: 'company', id: sales, name: 'Orsane UK', detail: null }],
        has_more: false,
      }),
    })
    await user.type(dialog.getByRole('combobox', { name: /^Add/ }), 'uk')
    expect(await dialog.findByText('No one you can share with matches “uk”.')).toBeTruthy()
    expect(dialog.queryAllByRole('option', { name: /Orsane/ })).toEqual([])
  })

  it('changes what a company may do, ends the share, and undoes that', async () => {
    const { dialog, called } = await open([share()], others)
    await user.selectOptions(dialog.getByLabelText('What Orsane UK may do'), 'Can edit')
    await waitFor(() => expect(called(`POST ${path}`)).toHaveLength(1))
    const recipient = { who: 'company', id: sales }
    expect(called(`POST ${path}`)[0]?.body).toEqual({ recipient, access: 'edit' })
    await user.click(dialog.getByRole('button', { name: 'Stop sharing with Orsane UK' }))
    expect(await dialog.findByText('No longer shared')).toBeTruthy()
    expect(called(`DELETE ${path}/${share().id}`)).toHaveLength(1)
    await user.click(dialog.getByRole('button', { name: 'Share with Orsane UK again' }))
    await waitFor(() => expect(dialog.queryByText('No longer shared')).toBeNull())
    expect(called(`POST ${path}`)[1]?.body).toEqual({ recipient, access: 'edit' })
  })

  it('lets a super admin share with everyone by a switch', async () => {
    const { dialog, called } = await open([], { everybody: true, others: true, projects: false })
    await user.click(dialog.getByRole('switch', { name: 'Everyone' }))
    await waitFor(() => expect(dialog.getByRole('switch', { checked: true })).toBeTruthy())
    expect(called(`POST ${path}`)[0]?.body).toEqual({ recipient: { who: 'everybody' }, access: 'use' })
    await user.click(dialog.getByRole('switch', { name: 'Everyone' }))
    await waitFor(() => expect(called(`DELETE ${path}/${share().id}`)).toHaveLength(1))
  })

  it('shows recipients of other companies without a name or controls', async () => {
    const hidden = {
      who: 'person' as const,
      recipient_id: null,
      name: null,
      can_remove: false,
      shared_by: 'Inès Brunet',
    }
    const { dialog } = await open([share(hidden)], others)
    expect(dialog.getByText('A person')).toBeTruthy()
    expect(dialog.getByText('Of another company · shared by Inès Brunet')).toBeTruthy()
    expect(dialog.queryByRole('button', { name: /^Stop sharing/ })).toBeNull()
  })

  it('explains to members that sharing is off, and shows no field', async () => {
    const { dialog } = await open([], { everybody: false, others: false, projects: false })
    expect(dialog.getByText(/^Sharing for members is off\./)).toBeTruthy()
    expect(dialog.queryByRole('combobox')).toBeNull()
    expect(dialog.getByText(/^It is a draft/)).toBeTruthy()
  })

  it('shows the reason of a refused share', async () => {
    const { dialog } = await open([share()], others, {
      [`POST ${path}`]: () => [
        403,
        { code: 'forbidden', detail: 'Your company lets only its administrators share.' },
      ],
    })
    await user.selectOptions(dialog.getByLabelText('What Orsane UK may do'), 'Can edit')
    expect(await dialog.findByText('Nothing was changed')).toBeTruthy()
  })

  it('is not offered to people who may not share', async () => {
    await renderApp(`/assistant/${id}`, {
      token: 't',
      answers: aServer(
        {
          'GET /assistants': () => [],
          [`GET /assistants/${id}`]: () => ({ ...desk, own: false, can_share: false, status: 'published' }),
          'GET /available-models': () => [],
        },
        aUser(),
      ),
    })
    expect(await screen.findByRole('link', { name: 'Edit' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Share' })).toBeNull()
  })
})
