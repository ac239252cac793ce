import { type ReactNode, useEffect } from 'react'
import type { BranchHit, MapMessage } from '#shared/chat/branches/branches.ts'
import { BranchMap, HIT_PX, HitList, useRowWindow } from '../../chat/branches/branches.ts'
import { BranchSwitcher, HiddenFuture, showMessages } from '../../chat/messages/messages.tsx'

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

/** The hits for `Kessler`. */
const hits: BranchHit[] = messages
  .filter(({ text }) => text.includes('Kessler'))
  .map(({ id, role, model_name, created_at, text }) => ({
    ...{ message_id: id, role, model_name, created_at, is_active: id === here },
    ...{ match: text.replace('Kessler', '\u{E000}Kessler\u{E001}'), branch_number: id === here ? 2 : 1 },
  }))

/** The switcher between versions, the notice of a hidden future, the map, and what is found on it. */
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
      {draw('branch-hits', <Hits />)}
    </>
  )
}

function Hits() {
  const rows = useRowWindow(hits.length, HIT_PX, 0)
  return (
    <div className="flex h-44 max-w-125 flex-col overflow-hidden rounded-card border border-line bg-bg">
      <HitList id="gallery" rows={rows} hits={hits} at={0} isLoading={false} onOpen={() => undefined}>
        {null}
      </HitList>
    </div>
  )
}
