import { expect, it } from 'vitest'
import type { InputRequiredBlock } from '#shared/runs/runs/blocks.ts'
import { isGivenByButton, offeredAnswers, showCall } from './question.ts'

const approvalOf = (input: unknown) =>
  ({
    ...{ type: 'input_required', id: '1', checkpoint_name: 'c', prompt: 'Send?', input_types: ['json'] },
    ...{ state: 'waiting', input: null, created_at: '', deadline: null, kind: 'approval' },
    tool: { tool_execution_id: '1', tool_id: 'send_mail', tool_name: 'Send mail', input, draft: 'mail' },
  }) as InputRequiredBlock

it('shows all recipients of a call before its text', () => {
  const { lines, isWhole } = showCall(
    approvalOf({ subject: 'Rent', body: 'Hello', bcc: ['c@x.example'], guests: [], to: ['a@x.example'] }),
  )
  const shown = lines.join('\n')
  const places = ['bcc', 'guests', 'to', 'subject', 'body'].map((field) => shown.indexOf(`"${field}"`))
  expect(isWhole).toBe(true)
  expect(places.every((place) => place >= 0)).toBe(true)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

it('gives an approval by a button only if the whole call is shown', () => {
  const [short, long] = [approvalOf({ body: 'x'.repeat(1_900) }), approvalOf({ body: 'x'.repeat(2_000) })]
  const given = (request: InputRequiredBlock) =>
    offeredAnswers(request).flatMap(({ label }, choice) => (isGivenByButton(request, choice) ? [label] : []))
  expect(given(short)).toEqual([{ sentence: 'approve' }, { sentence: 'decline' }])
  expect(given(long)).toEqual([{ sentence: 'decline' }])
  expect(showCall(long)).toMatchObject({ isWhole: false })
})

it('shows a call without links', () => {
  expect(showCall(approvalOf({ body: '[bank](https://evil.example)' })).lines.join('\n')).not.toContain('](')
})
