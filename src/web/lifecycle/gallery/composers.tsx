import { type ReactNode, useId } from 'react'
import { Composer } from '../../chat/composer/composer.tsx'
import { type Standstill, StandstillAction, StandstillNote } from '../../chat/messages/messages.tsx'
import { useTranslation } from '../../platform/i18n/i18n.ts'

const at = '2026-10-14T14:07:20.000Z'
const pause = (reason: 'request' | 'balance'): Standstill => ({
  requests: [],
  pause: { type: 'paused', id: 'paused', reason, checkpoint_name: 'after_step1', created_at: at },
})
const held = {
  waiting: { requests: [], pause: null },
  paused: pause('request'),
  unpaid: pause('balance'),
} satisfies Record<string, Standstill>

/** Composer while idle, while a reply is written, and while a run is paused. */
export function Composers({ draw }: { draw: (name: string, content: ReactNode) => ReactNode }) {
  return (
    <>
      {draw('composer', <Sample name="composer" />)}
      {draw('composer-streaming', <Sample name="streaming" isStreaming />)}
      {draw('composer-waiting', <Sample name="waiting" standstill={held.waiting} />)}
      {draw('composer-paused', <Sample name="paused" standstill={held.paused} />)}
      {draw('composer-unpaid', <Sample name="unpaid" standstill={held.unpaid} />)}
    </>
  )
}

type SampleProps = { name: string; isStreaming?: boolean; standstill?: Standstill }

function Sample({ name, isStreaming = false, standstill }: SampleProps) {
  const { t } = useTranslation('streaming_blocks')
  const noteId = useId()
  return (
    <>
      <Composer
        sessionId={`gallery-${name}`}
        placeholder={t(standstill ? 'composer.held.placeholder' : 'composer.placeholder')}
        isStreaming={isStreaming}
        isStopping={false}
        held={
          standstill && {
            noteId,
            action: standstill.pause && <StandstillAction pause={standstill.pause} />,
          }
        }
        onSend={() => false}
        onStop={() => undefined}
      />
      {standstill && (
        <p id={noteId} className="pt-2 text-center text-12 text-ink-3">
          <StandstillNote sessionId="gallery" standstill={standstill} onFreed={() => undefined} />
        </p>
      )}
    </>
  )
}
