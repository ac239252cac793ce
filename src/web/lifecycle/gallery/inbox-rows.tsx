import { useState } from 'react'
import type { InputRequest } from '#shared/runs/input-requests/input-requests.ts'
import { InboxWaiting } from '../../chat/inbox/inbox.ts'
import { approval, composite, interrupted, yesNo } from './requests.tsx'

const item = (session_title: string, assistant_name: string, request: InputRequest['request']) => ({
  ...{ run_id: `run-${session_title}`, session_id: 'gallery', session_title, assistant_id: 'a' },
  ...{ assistant_name, asked_by: null, state: 'waiting' as const, answered_at: null, request },
})

/** Every kind of inbox entry. */
export function InboxRows() {
  const [now] = useState(() => Date.now())
  const created_at = new Date(now - 26 * 60_000).toISOString()
  const deadline = new Date(now + 5 * 3_600_000).toISOString()
  return (
    <InboxWaiting
      items={[
        item('CSRD 2026 – matérialité', 'CSRD analyst', { ...composite, deadline }),
        item('Kessler negotiation brief', 'Procurement analyst', { ...approval, deadline }),
        item('Prospection Auvergne', 'Prospection', { ...yesNo, created_at }),
        item('Supplier master data', 'Data desk', { ...interrupted, created_at }),
        item('Bail Marseille, restitution', 'Bail & foncier', {
          ...{ type: 'paused', id: 'paused', reason: 'balance', checkpoint_name: 'llm_checkpoint_4' },
          ...{ created_at, at_step: { number: 4, begun: false } },
        }),
      ]}
    />
  )
}
