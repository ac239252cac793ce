// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RoleName } from '#shared/identity/accounts/accounts.ts'
import type { CompanyConsequences, CompanyFigures } from '#shared/lifecycle/companies/companies.ts'
import { aServer, aUser, leaveApp, prepareBrowser, renderApp } from '#tests/web/render-app.tsx'

const user = userEvent.setup()
beforeAll(() => prepareBrowser())
afterEach(leaveApp)

const uk: CompanyFigures = {
  ...{ id: 'c1', name: 'Orsane UK', people: 14, max_people: 20, storage_mb: null, admins: 3 },
  ...{ admin: 'Thomas Whitfield', domains: ['orsane.co.uk'], spent: 84.92, budget: 90 },
}
const italia: CompanyFigures = {
  ...{ ...uk, id: 'c2', name: 'Orsane Italia', people: 8, max_people: null, admins: 0, admin: null },
  ...{ domains: [], spent: 4.62, budget: null },
}
const consequences: CompanyConsequences = {
  ...{ people: 14, alone: 12, admins: 3, groups: 1, documents: 2, assistants: 1, tools: 0 },
  ...{ webhooks: 0, invitations: 0, budgets: 0, domains: 1, has_directory: true },
}
const named = ({ id, name, people }: CompanyFigures) => ({
  ...{ id, name, people, requires_second_factor: false, outward_calls: 'ask', outward_fixed_by: [] },
})

async function open(role: RoleName = 'super_admin') {
  const none = () => new Response(null, { status: 204 })
  const page = await renderApp('/admin?page=companies', {
    token: 't',
    answers: aServer(
      {
        'GET /admin/companies/figures': () => ({ items: [italia, uk], total: 2, has_more: false }),
        'GET /admin/companies': () => [named(italia), named(uk)],
        'GET /admin/companies/c1/consequences': () => consequences,
        'PUT /admin/companies/c1/limits': ({ body }) => body,
        'PATCH /admin/companies/c1': () => named(uk),
        'POST /admin/companies': () => [201, named(uk)],
        'POST /admin/companies/c1/merge': none,
        'DELETE /admin/companies/c1': none,
      },
      aUser({ role }),
    ),
  })
  await screen.findByRole('row', { name: /Orsane UK/ })
  return page
}
async function choose(entry: string) {
  await user.click(screen.getByRole('button', { name: 'Change Orsane UK' }))
  await user.click(await screen.findByRole('menuitem', { name: entry }))
}

describe('the page of companies', () => {
  it('shows people with their limit, administrators, mail domains and spending with its budget', async () => {
    await open()
    const text = (name: RegExp) => screen.getByRole('row', { name }).textContent
    expect(text(/Orsane UK/)).toBe('Orsane UKorsane.co.uk14 of 20Thomas Whitfield and 2 more$84.92 of $90.00')
    expect(text(/Italia/)).toBe('Orsane Italia8Nobody$4.62')
  })

  it('searches, creates and renames companies [SH-30]', async () => {
    const { called } = await open()
    await user.type(screen.getByRole('searchbox', { name: 'Name or mail domain' }), 'uk')
    await waitFor(() =>
      expect(called('GET /admin/companies/figures').at(-1)?.query.toString()).toBe('page=1&q=uk'),
    )
    await choose('Rename')
    const dialog = await screen.findByRole('dialog', { name: 'Rename Orsane UK' })
    await user.clear(within(dialog).getByRole('textbox'))
    await user.type(within(dialog).getByRole('textbox'), 'Orsane Ltd{Enter}')
    await waitFor(() => expect(called('PATCH /admin/companies/c1')[0]?.body).toEqual({ name: 'Orsane Ltd' }))
    await user.click(screen.getByRole('button', { name: 'New company' }))
    await user.type(await screen.findByRole('textbox', { name: 'Name of the company' }), 'Orsane Fr{Enter}')
    await waitFor(() => expect(called('POST /admin/companies')[0]?.body).toEqual({ name: 'Orsane Fr' }))
  })

  it('sets limits; an empty field is no limit, and anything but a number is refused', async () => {
    const { called } = await open()
    await choose('Limits')
    const dialog = within(await screen.findByRole('dialog', { name: 'Limits of Orsane UK' }))
    const people = dialog.getByRole('spinbutton', { name: 'People' })
    await user.clear(people)
    await user.type(people, '0')
    expect(dialog.getByRole('button', { name: 'Save' }).hasAttribute('disabled')).toBe(true)
    await user.clear(people)
    await user.type(dialog.getByRole('spinbutton', { name: /^Storage per person/ }), '500')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(called('PUT /admin/companies/c1/limits')[0]?.body).toEqual({
        max_people: null,
        storage_mb: 500,
      }),
    )
  })

  it('merges only into a chosen company, after showing what moves', async () => {
    const { called } = await open()
    await choose('Merge into another…')
    const dialog = within(await screen.findByRole('dialog', { name: 'Merge Orsane UK into another company' }))
    const list = within(await dialog.findByRole('list', { name: 'What changes' }))
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      '14people join the other company',
      '3of them administer this company and become members; give the role again if wished',
      '1group moves with its members',
      '3shared documents, assistants and tools are shared with the other company',
      '1mail domain moves',
      'Its directory is disconnected; its people and groups stay.',
    ])
    expect(dialog.getByRole('button', { name: 'Merge' }).hasAttribute('disabled')).toBe(true)
    await user.click(dialog.getByRole('button', { name: /^Merge into/ }))
    const picker = within(await screen.findByRole('dialog', { name: 'Merge into' }))
    expect(picker.queryByRole('button', { name: 'Orsane UK' })).toBeNull()
    await user.click(picker.getByRole('button', { name: 'Orsane Italia' }))
    await user.click(dialog.getByRole('button', { name: 'Merge' }))
    await waitFor(() => expect(called('POST /admin/companies/c1/merge')[0]?.body).toEqual({ into: 'c2' }))
    expect(await screen.findByText('Orsane UK is now part of Orsane Italia.')).toBeTruthy()
  })

  it('deletes only after the name is typed', async () => {
    const { called } = await open()
    await choose('Delete…')
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete Orsane UK?' }))
    expect(await dialog.findByText('of them are in no other company')).toBeTruthy()
    const act = dialog.getByRole('button', { name: 'Delete the company' })
    await user.type(dialog.getByRole('textbox'), 'Orsane')
    expect(act.hasAttribute('disabled')).toBe(true)
    await user.type(dialog.getByRole('textbox'), ' UK')
    await user.click(act)
    await waitFor(() => expect(called('DELETE /admin/companies/c1')[0]?.body).toEqual({ name: 'Orsane UK' }))
  })

  it('offers company admins neither limits nor merging nor deletion', async () => {
    await open('company_admin')
    await user.click(screen.getByRole('button', { name: 'Change Orsane UK' }))
    const entries = await screen.findAllByRole('menuitem')
    expect(entries.map(({ textContent }) => textContent)).toEqual(['Rename', 'Security'])
  })
})
