import type { ReactNode } from 'react'
import { BeliefView } from '../../chat/beliefs/beliefs.ts'

const message_id = '00000000-0000-4000-8000-000000000001'
const said = (...texts: string[]) => texts.map((text) => ({ text, message_id }))
const none = {
  goals: [],
  facts: [],
  open_questions: [],
  updated_at: null,
  message_id: null,
  is_pending: false,
}
const belief = {
  ...none,
  goals: said('Renegotiate the Kessler contract before it renews'),
  facts: said(
    'The contract ends on 30 June 2027, with six months’ notice',
    'Kessler costs 14.10 € per m², the most of the four',
    'Target price: 12.90 € per m², set by Claire',
  ),
  open_questions: said('Does the break option survive the second amendment?'),
}

/** Working memory of a chat in each of its states. */
export function Beliefs({ draw }: { draw: (name: string, content: ReactNode) => ReactNode }) {
  const states = {
    belief: <BeliefView belief={belief} isOff={false} />,
    'belief-pending': <BeliefView belief={{ ...belief, goals: [], is_pending: true }} isOff={false} />,
    'belief-off': <BeliefView belief={none} isOff />,
    'belief-empty': <BeliefView belief={none} isOff={false} />,
  }
  return Object.entries(states).map(([name, view]) => (
    <div key={name}>
      {draw(
        name,
        <div className="w-75 rounded-card border border-line">
          <h3 className="sr-only">{name}</h3>
          {view}
        </div>,
      )}
    </div>
  ))
}
