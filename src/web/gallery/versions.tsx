import { type ReactNode, useEffect } from 'react'
import type { MapMessage } from '#shared/branches/branches.ts'
import { BranchMap } from '../branches/branches.ts'
import { BranchSwitcher, HiddenFuture, showMessages } from '../messages/messages.tsx'

const long = Array.from({ length: 9 }, (_, at): [string, string] => [`m${at}`, `Detail ${at + 1}`])

/** Each message follows the one before it, or the one that is named. */
const written: [id: string, text: string, parent?: string][] = [
  ['q1', 'Compare our four HVAC frame contracts ending in 2027'],
  ['a1', 'Kessler costs most per m², Dalkorne exits first'],
  ['q2', 'Put that in a table, with exit clauses'],
  ['a2', 'Frame contracts, 4 rows'],
  ['q3', 'Check today’s market rates, then draft the brief'],
  ['a3', 'Brief, one page, no figures'],
  ['b3', 'Brief, two pages, target 12.90 € per m²', 'q3'],
  ...long,
  ['b1', 'Renegotiate Kessler first', 'q1'],
  ['c1', 'Start with Dalkorne, its term leaves the most time', 'q1'],
]
const here = 'b1'

const messages: MapMessage[] = written.map(([id, text, parent], at) => {
  const isYours = id.startsWith('q') || (id.startsWith('m') && at % 2 === 0)
  return {
    ...{ id, text, parent_id: parent ?? written[at - 1]?.[0] ?? null, is_active: false },
    ...{ role: isYours ? 'user' : 'assistant', model_name: isYours ? null : 'openai/gpt-4o' },
    created_at: new Date(Date.UTC(2026, 9, 14, 9, at)).toISOString(),
  }
})

/** The switcher between versions, the notice of a hidden future, and the map. */
export function Versions({ draw }: { draw: (name: string, content: ReactNode) => ReactNode }) {
  useEffect(() => showMessages(messages, here, { position: 2, count: 3, later: 14, later_id: 'a1' }), [])
  return (
    <>
      {draw('branch-switcher', <BranchSwitcher messageId={here} place={here} />)}
      {draw('hidden-future', <HiddenFuture messageId={here} />)}
      {draw(
        'branch-map',
        <div className="flex h-140 max-w-125 flex-col overflow-hidden rounded-card border border-line bg-bg">
          <BranchMap messages={messages} leafId={here} onOpen={() => undefined} />
        </div>,
      )}
    </>
  )
}
