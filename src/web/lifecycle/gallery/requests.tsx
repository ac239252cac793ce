import type { ReactNode } from 'react'
import type { InputRequiredBlock } from '#shared/runs/runs/blocks.ts'
import { MessageBlocks } from '../../chat/messages/messages.tsx'
import { AskFrame, type AskState, RequestDock } from '../../runs/input-requests/input-requests.tsx'

const at = '2026-10-14T14:07:20.000Z'

function aRequest(name: string, patch: Partial<InputRequiredBlock>): InputRequiredBlock {
  return {
    ...{ type: 'input_required', id: `gallery-${name}`, checkpoint_name: 'waiting_for_input_after_step1' },
    ...{ prompt: '', input_types: ['text'], state: 'waiting', input: null, created_at: at, deadline: null },
    ...patch,
  }
}

export const composite = aRequest('composite', {
  prompt:
    'E1-5 and E1-6 cannot be completed yet. Tell me which **sites** are in scope, attach the 2025 energy file, and confirm the emission factors.',
  input_types: ['composite'],
  fields: [
    { name: 'sites', label: 'Sites in scope', type: 'text', required: true },
    { name: 'file', label: 'Energy file', type: 'document', required: false },
    { name: 'factors', label: 'Emission factors', type: 'json', required: false },
    { name: 'landlord', label: 'Use the landlord’s readings?', type: 'boolean', required: false },
    { name: 'voice', label: 'Voice note', type: 'audio', required: false },
  ],
  skippable: true,
})

export const approval = aRequest('approval', {
  kind: 'approval',
  prompt: 'Allow “Send e-mail” to run?',
  input_types: ['json'],
  tool: {
    ...{ tool_execution_id: 'mail', tool_id: 'mail', tool_name: 'Send e-mail' },
    input: {
      to: 'p.arnaud@kessler-technik.eu',
      subject: 'Contrat-cadre 2023-117 : révision de prix de juillet 2026',
      body: 'Bonjour Monsieur Arnaud,\nl’article 9.2 prévoit une révision par an. Nous vous prions d’annuler la facture de régularisation F-2026-0781 (10 908 €).',
    },
    input_schema: {
      type: 'object',
      properties: { to: { type: 'string' }, subject: { type: 'string' }, body: { type: 'string' } },
    },
  },
})

const leaving = aRequest('leaving', {
  kind: 'approval',
  prompt: 'Allow “Supplier score” to run?',
  input_types: ['json'],
  tool: {
    ...{ tool_execution_id: 'score', tool_id: 'score', tool_name: 'Supplier score' },
    input: { siren: '552100554', note: 'Prix plafond du lot 3 : 10\u202f908 €' },
    input_schema: { type: 'object', properties: { siren: { type: 'string' }, note: { type: 'string' } } },
    outward: {
      ...{ hosts: ['api.score.example'], method: 'GET', headers: {}, body: null },
      address:
        'https://api.score.example/v2/suppliers/552100554/score?note=Prix%20plafond%20du%20lot%203%20%3A%2010%E2%80%AF908%20%E2%82%AC',
      read: [
        { kind: 'document', name: 'Contrat-cadre 2023-117.pdf' },
        { kind: 'tool', name: 'Web search' },
      ],
      ...{ by_rule: true, can_allow_chat: true },
    },
  },
})

const signIn = aRequest('sign-in', {
  ...{ kind: 'sign_in', input_types: ['boolean'], skippable: true },
  prompt: 'Sign in at erp.orsane.example, so that “Open orders” can run.',
  tool: {
    ...{ tool_execution_id: 'orders', tool_id: 'orders', tool_name: 'Open orders', input: {} },
    account: { service: 'erp.orsane.example', page: '/tools/orders' },
  },
})

export const interrupted = aRequest('interrupted', {
  kind: 'interrupted',
  prompt: '“Write to ERP” had started when the server stopped. Its result is not known. Run it again?',
  tool: { tool_execution_id: 'erp', tool_id: 'erp', tool_name: 'Write to ERP' },
})

export const yesNo = aRequest('yes-no', {
  prompt: 'Importer les 14 prospects validés dans le CRM Orsane ?',
  input_types: ['boolean'],
})
/** One line of text. */
export const question = aRequest('single', {
  prompt: 'Which lot should be negotiated first, **lot 1** or **lot 3**?',
})
const unknown = aRequest('unknown', { prompt: 'Where are you?', input_types: ['location'] })
const provided = aRequest('provided', {
  ...{ prompt: 'In which language?', state: 'provided', input: 'Report in French, reference year 2025' },
  ...{ input_type: 'text', answered_at: at },
})
const declined = aRequest('declined', {
  ...approval,
  state: 'provided',
  input: { approved: false },
  answered_at: at,
})
const skipped = aRequest('skipped', {
  ...{ prompt: 'Which day suits you?', skippable: true, state: 'provided' },
  ...{ input: null, input_type: 'skipped', answered_at: at },
})
const closed = aRequest('closed', { prompt: 'Which lot first?', state: 'closed' })

const forAssistant = aRequest('approval-assistant', {
  ...approval,
  id: 'gallery-approval-assistant',
  ...(approval.tool && {
    tool: { ...approval.tool, assistant: { id: 'desk', name: 'Procurement analyst' } },
  }),
})

const states: AskState[] = ['waiting', 'ready', 'transcribing', 'processing', 'provided', 'skipped', 'closed']

/** Everything a run may ask, and how it stands. */
export function Requests({ draw }: { draw: (name: string, content: ReactNode) => ReactNode }) {
  const dock = (...requests: InputRequiredBlock[]) => (
    <RequestDock sessionId="gallery" requests={requests} onSettled={() => undefined} />
  )
  return (
    <>
      {draw('request-composite', dock(composite, question))}
      {draw('request-approval', dock(approval))}
      {draw('request-approval-assistant', dock(forAssistant))}
      {draw('request-leaving', dock(leaving))}
      {draw('request-interrupted', dock(interrupted))}
      {draw('request-sign-in', dock(signIn))}
      {draw('request-text', dock(question))}
      {draw('request-unsupported', dock(unknown))}
      {draw(
        'request-states',
        <div className="grid gap-2">
          {states.map((state) => (
            <AskFrame key={state} request={question} state={state}>
              {null}
            </AskFrame>
          ))}
        </div>,
      )}
      {draw('request-past', <MessageBlocks blocks={[provided, declined, skipped, closed]} growing={false} />)}
    </>
  )
}
