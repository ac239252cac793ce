import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { InputRequiredBlock } from '#shared/runs/runs/blocks.ts'
import { type Answers, leavePage, renderPage } from '#tests/web/render-page.tsx'
import { anApproval, aRequest } from '#tests/web/request-builder.ts'
import { ToastHost } from '../../platform/ui/toasts/toast-host.tsx'
import { RequestDock } from './request-dock.tsx'

afterEach(leavePage)

let requests = 0
/** Drafts are stored by request, so every test has its own. */
const fresh = (request: InputRequiredBlock) => ({ ...request, id: `${request.id}-${++requests}` })

const path = '/sessions/s1/provide-input'
const accepts = { [`POST ${path}`]: () => ({ status: 'accepted' }) }

async function dock(
  given: InputRequiredBlock | InputRequiredBlock[],
  answers: Answers = accepts,
  make = fresh,
) {
  const onSettled = vi.fn()
  const page = await renderPage(
    <>
      <RequestDock sessionId="s1" requests={[given].flat().map(make)} onSettled={onSettled} />
      <ToastHost />
    </>,
    { answers },
  )
  const bodies = () => page.sent.filter((call) => call.path === path).map(({ body }) => body)
  return { ...page, user: userEvent.setup(), onSettled, bodies }
}
const badge = (words: string) => screen.findByText(words, { selector: '[role=status]' })
const send = () => screen.getByRole('button', { name: 'Send input' })

describe('waiting request', () => {
  it('goes from waiting to ready and processing, and is sent with its checkpoint [CK-11, CK-16, CK-18]', async () => {
    let accept = (_: unknown) => {}
    const { user, bodies, onSettled } = await dock(aRequest(), {
      [`POST ${path}`]: () => new Promise((resolve) => (accept = resolve)),
    })
    await badge('Waiting')
    expect(screen.getByText('Which one?')).toBeTruthy()
    expect(screen.getByText('after step 2')).toBeTruthy()
    await user.type(screen.getByRole('textbox', { name: 'Text' }), 'the blue one')
    await badge('Ready to send')
    await user.click(send())
    await badge('Processing')
    expect(bodies()).toEqual([
      { checkpoint_name: 'waiting_for_input_after_step1', input: 'the blue one', input_type: 'text' },
    ])
    expect(onSettled).not.toHaveBeenCalled()
    accept({ status: 'accepted' })
    await waitFor(() => expect(onSettled).toHaveBeenCalledOnce())
  })

  it('shows proposed values until the person changes them [XB-14]', async () => {
    const questions = {
      name: 'questions',
      label: 'Questions, one a line',
      type: 'text' as const,
      required: true,
    }
    const { user, bodies } = await dock(aRequest({ fields: [{ ...questions, value: 'How deep?' }] }))
    const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: /Questions, one a line/ })
    expect(field.value).toBe('How deep?')
    await user.type(field, ' How wide?')
    await user.click(send())
    await waitFor(() => expect(bodies()).toHaveLength(1))
    expect(bodies()[0]).toMatchObject({ input: 'How deep? How wide?', input_type: 'text' })
  })

  it('reports a required field and invalid JSON [CK-14, CK-15]', async () => {
    const { user, bodies } = await dock(aRequest({ input_types: ['text', 'json'] }))
    await user.click(send())
    expect((await screen.findByRole('alert')).textContent).toBe('Fill at least one field')
    const json = screen.getByRole('textbox', { name: 'JSON' })
    await user.type(json, '{{"a": 1, }')
    await user.click(send())
    expect(screen.getByText(/^This is not written as it must be/)).toBeTruthy()
    expect(json.getAttribute('aria-invalid')).toBe('true')
    expect(bodies()).toEqual([])
    await user.clear(json)
    await user.type(json, '{{"a": 1}')
    await user.click(send())
    await waitFor(() => expect(bodies()).toMatchObject([{ input: { a: 1 }, input_type: 'json' }]))
  })

  it('sends every type of field together [CK-13, CK-16]', async () => {
    const stored = { id: 'f1', name: 'a.txt', media_type: 'text/plain', size: 2 }
    const fields = (['text', 'json', 'boolean', 'document', 'image', 'audio', 'video'] as const).map(
      (type) => {
        return { name: type, label: `My ${type}`, type, required: false }
      },
    )
    const { user, bodies, sent } = await dock(aRequest({ input_types: ['composite'], fields }), {
      ...accepts,
      'POST /input-files': () => stored,
    })
    await user.type(screen.getByRole('textbox', { name: /My text/ }), 'a')
    await user.click(screen.getByRole('radio', { name: 'No' }))
    expect(
      ['document', 'image', 'audio', 'video'].map((type) =>
        screen.getByLabelText(`My ${type}`, { selector: '[type=file]' }),
      ),
    ).toHaveLength(4)
    await user.upload(
      screen.getByLabelText('My document', { selector: '[type=file]' }),
      new File(['hi'], 'a.txt'),
    )
    expect(await screen.findByText(/uploaded/)).toBeTruthy()
    expect(sent.find((call) => call.path === '/input-files')).toBeTruthy()
    await user.click(send())
    await waitFor(() =>
      expect(bodies()).toMatchObject([
        { input_type: 'composite', input: { text: 'a', boolean: false, document: stored } },
      ]),
    )
  })

  const recorded = { id: 'f1', name: 'note.webm', media_type: 'audio/webm', size: 2 }
  const record = async (page: Awaited<ReturnType<typeof dock>>) => {
    const picker = screen.getByLabelText('Audio', { selector: '[type=file]' })
    await page.user.upload(picker, new File(['hi'], 'note.webm', { type: 'audio/webm' }))
  }

  it('transcribes a recording for as long as that takes, and lets the person correct it [CK-11, CK-12, R-01]', async () => {
    let write = (_: unknown) => {}
    const page = await dock(aRequest({ input_types: ['audio'] }), {
      ...accepts,
      'POST /input-files': () => recorded,
      'POST /input-files/f1/transcribe': () => new Promise((resolve) => (write = resolve)),
    })
    await record(page)
    await badge('Transcribing')
    write({ text: 'the blew one' })
    await badge('Ready to send')
    const transcript = screen.getByRole('textbox', { name: 'Transcript of note.webm' })
    await page.user.clear(transcript)
    await page.user.type(transcript, 'the blue one')
    await page.user.click(send())
    await waitFor(() =>
      expect(page.bodies()).toMatchObject([
        { input: { ...recorded, transcript: 'the blue one' }, input_type: 'audio' },
      ]),
    )
  })

  it.each([
    ['not_available', 422, /cannot write down speech/],
    ['provider_failed', 502, /^Not transcribed: /],
  ])(
    'sends a recording without a transcript (%s) and says why [CK-12, R-01]',
    async (code, status, words) => {
      const page = await dock(aRequest({ input_types: ['audio'] }), {
        ...accepts,
        'POST /input-files': () => recorded,
        'POST /input-files/f1/transcribe': () => [status, { code, detail: 'No.' }],
      })
      await record(page)
      expect(await screen.findByText(words)).toBeTruthy()
      expect(screen.queryByText('Transcribing')).toBeNull()
      await page.user.click(send())
      await waitFor(() => expect(page.bodies()).toMatchObject([{ input: recorded, input_type: 'audio' }]))
      expect(JSON.stringify(page.bodies())).not.toContain('transcript')
    },
  )

  it('reports unsupported input types [CK-13]', async () => {
    await dock(aRequest({ input_types: ['location'] }))
    expect(screen.getByText(/cannot be answered here/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Send input' })).toBeNull()
  })

  it('shows the message of a failure, and without an answer that the server may be unavailable [CK-20]', async () => {
    let isDown = true
    const { user } = await dock(aRequest(), {
      [`POST ${path}`]: () => {
        if (isDown) throw new TypeError('Failed to fetch')
        return [409, { detail: 'This request has already been answered.', code: 'already_answered' }]
      },
    })
    await user.type(screen.getByRole('textbox', { name: 'Text' }), 'kept')
    await user.click(send())
    expect(await screen.findByText(/The input could not be sent: /)).toBeTruthy()
    expect(await screen.findByText(/the server may be unavailable/)).toBeTruthy()
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Text' }).value).toBe('kept')
    isDown = false
    await user.click(send())
    expect(await screen.findByText(/The input was not sent/)).toBeTruthy()
    expect(await screen.findByText('This request has already been answered.')).toBeTruthy()
  })

  it('says what is required, and what happens at the deadline [CK-11]', async () => {
    const deadline = new Date(Date.now() + 60_000).toISOString()
    const fields = [{ name: 'sites', label: 'Sites', type: 'text' as const, required: true }]
    await dock(aRequest({ fields, deadline, default: { input: false, input_type: 'json' } }))
    expect(screen.getByText(/No answer by .* means No/)).toBeTruthy()
    expect(screen.getByText('required')).toBeTruthy()
  })

  it('can be skipped only if the question allows it [CK-18, SE-14]', async () => {
    const { user, bodies, onSettled } = await dock(aRequest({ skippable: true }))
    await user.click(screen.getByRole('button', { name: 'Skip this step' }))
    await waitFor(() => expect(onSettled).toHaveBeenCalledOnce())
    expect(bodies()).toEqual([
      { checkpoint_name: 'waiting_for_input_after_step1', input: null, input_type: 'skipped' },
    ])
    leavePage()
    await dock(aRequest())
    expect(screen.queryByRole('button', { name: 'Skip this step' })).toBeNull()
  })

  it('preserves its draft and stored files across a reload until it is sent [CK-13, CK-18]', async () => {
    const stored = { id: 'f1', name: 'a.txt', media_type: 'text/plain', size: 2 }
    const fields = (['text', 'boolean', 'document'] as const).map((type) => {
      return { name: type, label: `My ${type}`, type, required: false }
    })
    const request = fresh(aRequest({ input_types: ['composite'], fields }))
    const answers = { ...accepts, 'POST /input-files': () => stored }
    const open = () => dock(request, answers, (one) => one)
    const first = await open()
    await first.user.type(screen.getByRole('textbox', { name: 'My text' }), 'Paris')
    await first.user.click(screen.getByRole('radio', { name: 'No' }))
    const picker = screen.getByLabelText('My document', { selector: '[type=file]' })
    await first.user.upload(picker, new File(['hi'], 'a.txt'))
    await screen.findByText(/uploaded/)
    cleanup()
    const again = await open()
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'My text' }).value).toBe('Paris')
    expect(screen.getByText('a.txt')).toBeTruthy()
    await again.user.click(send())
    await waitFor(() =>
      expect(again.bodies()).toMatchObject([
        { input: { text: 'Paris', boolean: false, document: stored }, input_type: 'composite' },
      ]),
    )
    await waitFor(() => expect(again.onSettled).toHaveBeenCalled())
    leavePage()
    await open()
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'My text' }).value).toBe('')
  })

  it("shows the server's error at its field [CK-15]", async () => {
    const fields = ['a', 'b'].map((name) => ({ name, label: name, type: 'text' as const, required: false }))
    const message = 'This field is required.'
    const { user } = await dock(aRequest({ input_types: ['composite'], fields }), {
      [`POST ${path}`]: () => [
        422,
        { detail: `input.b: ${message}`, code: 'invalid', errors: [{ path: 'input.b', message }] },
      ],
    })
    await user.type(screen.getByRole('textbox', { name: 'a' }), 'x')
    await user.click(send())
    expect(await screen.findByText(message)).toBeTruthy()
    expect(screen.getByRole('textbox', { name: 'b' }).getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByRole('textbox', { name: 'a' }).getAttribute('aria-invalid')).not.toBe('true')
  })

  it('focuses the field of a question, but not a button that runs a tool [CK-11]', async () => {
    await dock(aRequest())
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Text' }))
    leavePage()
    await dock(anApproval())
    expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Calculator' }))
  })

  it('shows one of several requests, with the others one step away [R-13]', async () => {
    const { user } = await dock([aRequest(), aRequest({ id: 'second', prompt: 'And where?' })])
    expect(screen.getByText('1 of 2')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Next request' }))
    expect(screen.getByText('And where?')).toBeTruthy()
  })
})

describe('approval', () => {
  it('shows the arguments and accepts them unchanged [SV-96]', async () => {
    const { user, bodies } = await dock(anApproval())
    await badge('Approval needed')
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'First number' }).value).toBe('21')
    await user.click(screen.getByRole('button', { name: 'Approve and run' }))
    await waitFor(() => expect(bodies()).toMatchObject([{ input: { approved: true }, input_type: 'json' }]))
    expect(JSON.stringify(bodies())).not.toContain('arguments')
  })

  it('accepts changed arguments, field by field or as JSON [SV-96]', async () => {
    const { user, bodies } = await dock(anApproval())
    const a = screen.getByRole('textbox', { name: 'First number' })
    await user.clear(a)
    await user.type(a, '7')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Operation' }), 'add')
    await user.click(screen.getByRole('button', { name: 'Edit as text' }))
    const json = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Details' })
    expect(JSON.parse(json.value)).toEqual({ a: 7, b: '2', operation: 'add' })
    await user.clear(json)
    expect(screen.getByRole('button', { name: 'Approve and run' }).hasAttribute('disabled')).toBe(true)
    await user.type(json, '{{"a": 1}')
    await user.click(screen.getByRole('button', { name: 'Approve and run' }))
    await waitFor(() => expect(bodies()).toMatchObject([{ input: { approved: true, arguments: { a: 1 } } }]))
  })

  it("names the tool, its arguments and their choices in the person's language [SV-96]", async () => {
    const request = anApproval()
    await renderPage(<RequestDock sessionId="s1" requests={[request]} onSettled={vi.fn()} />, {
      language: 'fr',
    })
    expect(screen.getByRole('group', { name: 'Calculatrice' })).toBeTruthy()
    const operation = screen.getByRole('combobox', { name: 'Opération' })
    expect(within(operation).getByRole('option', { name: '× multiplier' })).toBeTruthy()
  })

  it('accepts and sends arguments of any length [LI-02]', async () => {
    const { user, bodies } = await dock(anApproval())
    const long = '1'.repeat(300_000)
    const field = screen.getByRole('textbox', { name: 'Second number' })
    await user.clear(field)
    await user.click(field)
    await user.paste(long)
    await user.click(screen.getByRole('button', { name: 'Approve and run' }))
    await waitFor(() => expect(bodies()).toMatchObject([{ input: { arguments: { b: long } } }]))
  })

  it("shows the tool's error at the argument [SV-96]", async () => {
    const { user } = await dock(anApproval(), {
      [`POST ${path}`]: () => [
        422,
        { detail: 'b: Too large', code: 'invalid', errors: [{ path: 'arguments.b', message: 'Too large' }] },
      ],
    })
    await user.type(screen.getByRole('textbox', { name: 'Second number' }), '000')
    await user.click(screen.getByRole('button', { name: 'Approve and run' }))
    expect(await screen.findByText('Too large')).toBeTruthy()
  })

  it('can be declined with a reason [SV-96]', async () => {
    const { user, bodies } = await dock(anApproval())
    await user.click(screen.getByRole('button', { name: 'Decline' }))
    await user.type(screen.getByRole('textbox', { name: /Reason/ }), 'Use May')
    await user.click(screen.getByRole('button', { name: 'Decline' }))
    await waitFor(() => expect(bodies()).toMatchObject([{ input: { approved: false, reason: 'Use May' } }]))
  })

  const decides = {
    ...accepts,
    'PUT /tools/calculator/policy': () => ({ tool_id: 'calculator', policy: 'auto', source: 'user' }),
  }
  const decided = ({ sent }: Awaited<ReturnType<typeof dock>>) =>
    sent.find(({ method }) => method === 'PUT')?.body

  it('can be given permanently for all chats of the person [SV-96]', async () => {
    const page = await dock(anApproval(), decides)
    await page.user.click(screen.getByRole('checkbox', { name: 'Always allow in all my chats' }))
    await page.user.click(screen.getByRole('button', { name: 'Approve and run' }))
    await waitFor(() => expect(decided(page)).toEqual({ policy: 'auto' }))
    expect(await screen.findByText(/in all your chats/)).toBeTruthy()
  })

  it('can be given permanently for the named assistant [SV-96]', async () => {
    const { tool } = anApproval()
    const assistant = { id: '33333333-3333-4333-8333-333333333333', name: 'Desk' }
    const page = await dock(anApproval({ ...(tool && { tool: { ...tool, assistant } }) }), decides)
    await page.user.click(screen.getByRole('checkbox', { name: 'Always allow for “Desk”' }))
    await page.user.click(screen.getByRole('button', { name: 'Approve and run' }))
    await waitFor(() => expect(decided(page)).toEqual({ policy: 'auto', assistant_id: assistant.id }))
    expect(await screen.findByText(/“Desk” uses this tool without asking/)).toBeTruthy()
  })
})

it.each(['Retry', 'Skip', 'Stop here'])('answers an interrupted call with %s [R-13]', async (name) => {
  const { user, bodies } = await dock(aRequest({ kind: 'interrupted', tool: anApproval().tool }))
  const frame = screen.getByRole('group', { name: 'Interrupted tool' })
  expect(within(frame).getByText(/“Calculator” had started when the server stopped/)).toBeTruthy()
  await user.click(within(frame).getByRole('button', { name }))
  await waitFor(() =>
    expect(bodies()).toMatchObject([{ input: name.split(' ')[0]?.toLowerCase(), input_type: 'text' }]),
  )
})

it('names the approver of a call that somebody else approves, and offers no answer [AC-04]', async () => {
  const by = { kind: 'person' as const, id: 'u2', name: 'Inès Roche' }
  const deputy = { kind: 'group' as const, id: 'g1', name: 'Finance' }
  const times = { deputy_from: '2026-11-30T13:00:00Z' }
  await dock(
    anApproval({ approver: { company_id: 'c1', by, deputy, ...times }, deadline: '2026-12-01T12:00:00Z' }),
  )
  await badge('Approval needed')
  expect(
    screen.getByText(/Waits for the approval of Inès Roche\..* Finance can approve it too\./),
  ).toBeTruthy()
  expect(screen.getByText(/Without an approval it is declined on/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Approve|Decline/ })).toBeNull()
})
