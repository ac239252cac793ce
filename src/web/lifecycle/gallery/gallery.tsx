import { Play } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { foldEvents } from '#shared/runs/runs/reduce/reduce.ts'
import {
  builtInExamples,
  Examples,
  Greeting,
  MessageBlocks,
  TranscriptSkeleton,
} from '../../chat/messages/messages.tsx'
import { chooseLanguage, currentLanguage, useTranslation } from '../../platform/i18n/i18n.ts'
import { setDark, useDark } from '../../platform/lib/theme.ts'
import { Button } from '../../platform/ui/button.tsx'
import { View } from '../../platform/ui/view.tsx'
import { liveViews, useLiveView } from '../../runs/runs/runs.ts'
import { Assistants } from './assistants.tsx'
import { Beliefs } from './beliefs.tsx'
import { Composers } from './composers.tsx'
import { Compressions } from './compressions.tsx'
import { Executions } from './executions.tsx'
import { InboxRows } from './inbox-rows.tsx'
import type { Recording } from './recordings.ts'
import * as recordings from './recordings.ts'
import { Requests } from './requests.tsx'
import { Versions } from './versions.tsx'

/** Every block and state of a chat from recorded runs, for review in both themes and languages. */
export function Gallery() {
  const { t } = useTranslation('streaming_blocks')
  return (
    <View title={t('gallery.title')} actions={<Switches />}>
      <div className="transcript min-h-0 flex-1 overflow-y-auto">
        <div className="column space-y-12 py-10">
          {Object.values(recordings).map((recording) => (
            <Recorded key={recording.name} recording={recording} />
          ))}
          <Assistants draw={(name, content) => <Specimen name={name}>{content}</Specimen>} />
          <Requests draw={(name, content) => <Specimen name={name}>{content}</Specimen>} />
          <Specimen name="inbox">
            <InboxRows />
          </Specimen>
          <Executions draw={(name, content) => <Specimen name={name}>{content}</Specimen>} />
          <Compressions draw={(name, content) => <Specimen name={name}>{content}</Specimen>} />
          <Versions draw={(name, content) => <Specimen name={name}>{content}</Specimen>} />
          <Beliefs draw={(name, content) => <Specimen name={name}>{content}</Specimen>} />
          <Specimen name="welcome">
            <div className="h-40">
              <Greeting />
            </div>
            <Examples names={builtInExamples} index={0} onHold={() => undefined} onChoose={() => undefined} />
          </Specimen>
          <Composers draw={(name, content) => <Specimen name={name}>{content}</Specimen>} />
          <Specimen name="skeleton">
            <TranscriptSkeleton />
          </Specimen>
        </div>
      </div>
    </View>
  )
}

function Specimen({ name, action, children }: { name: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section id={name}>
      <h2 className="mb-4 flex h-9 items-center gap-3 border-b border-line font-mono text-12 text-ink-3">
        <span className="flex-1">{name}</span>
        {action}
      </h2>
      {children}
    </section>
  )
}

/** A recording as it looks in the end, and played as it came. */
function Recorded({ recording }: { recording: Recording }) {
  const { t } = useTranslation('streaming_blocks')
  const [plays, setPlays] = useState(0)
  const key = `gallery-${recording.name}`
  const live = useLiveView(key)
  useEffect(() => {
    if (plays === 0) return
    let at = 1
    const timer = setInterval(() => {
      liveViews.set(key, foldEvents(null, recording.events.slice(0, at)))
      at += 1
      if (at > recording.events.length) clearInterval(timer)
    }, 40)
    return () => {
      clearInterval(timer)
      liveViews.close(key)
    }
  }, [plays, key, recording])
  const view = live ?? foldEvents(null, recording.events)
  return (
    <Specimen
      name={recording.name}
      action={
        <Button
          variant="ghost"
          size="sm"
          icon={<Play aria-hidden className="icon-14" />}
          onClick={() => setPlays((count) => count + 1)}
        >
          {t('gallery.replay')}
        </Button>
      }
    >
      {view && (
        <MessageBlocks
          key={plays}
          blocks={view.blocks}
          growing={view.status === 'streaming'}
          planned={view.progress?.planned}
        />
      )}
    </Specimen>
  )
}

function Switches() {
  const { t } = useTranslation('streaming_blocks')
  const isDark = useDark()
  const language = currentLanguage()
  return (
    <>
      <Button size="sm" aria-pressed={isDark} onClick={() => setDark(!isDark)}>
        {t(isDark ? 'gallery.light' : 'gallery.dark')}
      </Button>
      <Button size="sm" onClick={() => void chooseLanguage(language === 'fr' ? 'en' : 'fr')}>
        {language === 'fr' ? 'English' : 'Français'}
      </Button>
    </>
  )
}
