import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aDocument, anEmptyState, aPage } from '#tests/web/document-builder.ts'
import { aServer, leaveApp, prepareBrowser, renderApp, theSession } from '#tests/web/render-app.tsx'
import { aSession } from '#tests/web/session-builder.ts'
import { closeChatPanel } from '../../platform/lib/chat-panel.ts'

const user = userEvent.setup()
beforeEach(() => prepareBrowser())
afterEach(() => {
  leaveApp()
  closeChatPanel()
})

const given = aDocument()
const document = aDocument({
  name: 'Contract.docx',
  doc_metadata: { ...given.doc_metadata, files: ['digitized.md', 'text.md'] },
})

async function openChat(query = '', shown = document) {
  const session = aSession({ title: 'Penalties' })
  const answers = aServer({
    ...theSession(session),
    'GET /documents': ({ query: asked }) => aPage([document], asked),
    'GET /documents/state': () => anEmptyState,
    [`GET /documents/${document.id}`]: () => shown,
    [`GET /documents/${document.id}/files/digitized.md`]: () => new Response('# What was read'),
    [`GET /documents/${document.id}/files/text.md`]: () => new Response('Only its words'),
  })
  const app = await renderApp(`/chat/${session.id}${query}`, { token: 't', answers })
  return { ...app, session }
}

const panel = async () => within(await screen.findByRole('complementary', { name: 'Document' }))

describe('document next to the chat', () => {
  it('opens from the address with its view, and closes with it', async () => {
    const app = await openChat(`?document=${document.id}&view=text`)
    const shown = await panel()
    expect(await shown.findByRole('heading', { name: 'Contract.docx' })).toBeTruthy()
    expect(await shown.findByText('Only its words')).toBeTruthy()
    await user.click(shown.getByRole('button', { name: 'Digitized' }))
    expect(await shown.findByRole('heading', { name: 'What was read' })).toBeTruthy()
    expect(app.hrefNow()).toBe(`/chat/${app.session.id}?document=${document.id}&view=digitized`)
    await user.click(shown.getByRole('button', { name: 'Close panel' }))
    await waitFor(() => expect(app.hrefNow()).toBe(`/chat/${app.session.id}`))
    expect(screen.queryByRole('complementary', { name: 'Document' })).toBeNull()
  })

  it('links to the source of a connector from the view of a cited passage [CN-10]', async () => {
    const file_info = { ...given.doc_metadata.file_info, source_url: 'https://files.example/contract' }
    const cited = { ...document, doc_metadata: { ...document.doc_metadata, file_info } }
    const chunk = '00000000-0000-4000-8000-00000000000c'
    await openChat(`?document=${document.id}&chunk=${chunk}`, cited)
    const link = await (await panel()).findByRole('link', { name: 'Open at the source' })
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([file_info.source_url, '_blank'])
  })

  it('opens from the documents of the chat, and from there in its own view', async () => {
    const app = await openChat()
    await user.click(await screen.findByRole('button', { name: 'Context' }))
    await user.click(await screen.findByRole('button', { name: /^Documents/ }))
    await user.click(await screen.findByRole('link', { name: 'Contract.docx' }))
    const shown = await panel()
    expect(await shown.findByRole('heading', { name: 'What was read' })).toBeTruthy()
    expect(app.hrefNow()).toBe(`/chat/${app.session.id}?document=${document.id}`)
    await user.click(shown.getByRole('button', { name: 'Open on its own page' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Contract.docx' })).toBeTruthy()
    expect(app.hrefNow()).toBe(`/documents/${document.id}`)
  })

  it('says that the document does not exist', async () => {
    await openChat('?document=gone')
    expect(await (await panel()).findByText('This document is not there')).toBeTruthy()
  })
})
