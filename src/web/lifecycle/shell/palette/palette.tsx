import { Dialog as Base } from '@base-ui/react/dialog'
import { useNavigate } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { User } from '#shared/identity/accounts/accounts.ts'
import { useTranslation } from '../../../platform/i18n/i18n.ts'
import { isComposing } from '../../../platform/lib/enter-key.ts'
import { setPaletteOpen } from '../../../platform/lib/layout.ts'
import { IconButton } from '../../../platform/ui/icon-button.tsx'
import type { PaletteEntry } from './entry.ts'
import { PaletteField } from './palette-field.tsx'
import { PaletteFoot } from './palette-foot.tsx'
import { PaletteList } from './palette-list.tsx'
import { revealSetting } from './places.tsx'
import { ProjectChip } from './project-chip.tsx'
import { useEntries } from './use-entries.tsx'
import { useProjectFilter } from './use-project-filter.ts'

type PaletteProps = { me: User; isOpen: boolean; onNewChat: () => void }

/** The palette: goes to anything by its name, and runs the actions of the current screen. */
export default function Palette({ me, isOpen, onNewChat }: PaletteProps) {
  const { t } = useTranslation('palette')
  const [opening, setOpening] = useState(0)
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen)
    if (isOpen) setOpening(opening + 1)
  }
  return (
    <Base.Root open={isOpen} onOpenChange={setPaletteOpen}>
      <Base.Portal>
        <Base.Backdrop className="fade-motion fixed inset-0 z-(--z-modal) bg-overlay" />
        <Base.Popup
          aria-label={t('title')}
          className="pop-motion fixed top-24 left-1/2 z-(--z-modal) flex max-h-[min(600px,calc(100dvh-120px))] w-170 max-w-[calc(100%-24px)] -translate-x-1/2 flex-col overflow-hidden rounded-dialog bg-raised shadow-float outline-none max-md:inset-0 max-md:max-h-none max-md:w-full max-md:max-w-none max-md:translate-x-0 max-md:rounded-none"
        >
          {/* Opened again while it still fades out, it starts empty. */}
          <PaletteContent key={opening} me={me} onNewChat={onNewChat} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

function PaletteContent({ me, onNewChat }: Omit<PaletteProps, 'isOpen'>) {
  const { t } = useTranslation('palette')
  const navigate = useNavigate()
  const listId = useId()
  const [typed, setTyped] = useState('')
  const filter = useProjectFilter()
  const { groups, shownFor, note } = useEntries({ me, typed, onNewChat, filter })
  const entries = groups.flatMap(({ entries }) => entries)
  const [pointed, setPointed] = useState<{ id: string; shownFor: string | null } | null>(null)
  // New results begin at the best match.
  const found = pointed?.shownFor === shownFor ? entries.findIndex(({ id }) => id === pointed.id) : 0
  const at = Math.max(0, found)
  const point = (entry: PaletteEntry | undefined) => entry && setPointed({ id: entry.id, shownFor })
  const waiting = useRef(false)

  const choose = (entry: PaletteEntry | undefined, isNewTab = false) => {
    if (!entry) return
    if (entry.staysOpen) return entry.run?.()
    note(entry)
    if (entry.href && isNewTab) return void window.open(entry.href, '_blank', 'noopener')
    setPaletteOpen(false)
    if (entry.href) {
      void navigate({ href: entry.href })
      if (entry.group === 'setting') revealSetting(entry.title)
    }
    // After the dialog has returned the focus, so that the action may move it.
    if (entry.run) setTimeout(entry.run, AFTER_CLOSE_MS)
  }
  const isShown = shownFor === typed.trim()
  useEffect(() => {
    if (!isShown || !waiting.current) return
    waiting.current = false
    choose(entries[0])
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) point(entries[(at + step + entries.length) % entries.length])
    else if (event.key === 'Enter' && isShown) choose(entries[at], event.ctrlKey || event.metaKey)
    // The results of the last letters decide, not those before them.
    else if (event.key === 'Enter') waiting.current = true
    else if (event.key === 'Backspace' && typed === '' && filter.project) filter.choose(null)
    else if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) setPaletteOpen(false)
    else return
    event.preventDefault()
  }
  const activeId = entries.length > 0 ? `${listId}-${at}` : null
  return (
    <>
      <PaletteField
        {...{ listId, activeId, typed, onKeyDown }}
        onType={(text) => {
          waiting.current = false
          setTyped(text)
        }}
        chip={
          filter.project && <ProjectChip name={filter.project.name} onRemove={() => filter.choose(null)} />
        }
        end={
          <Base.Close
            render={
              <IconButton name={t('common:actions.close')} className="md:hidden">
                <X aria-hidden className="icon-20" />
              </IconButton>
            }
          />
        }
      />
      <PaletteList
        {...{ listId, groups, at, typed: shownFor }}
        onPoint={(entry) => point(entry)}
        onChoose={(entry, isNewTab) => choose(entry, isNewTab)}
      />
      <PaletteFoot />
    </>
  )
}

/** The dialog returns the focus when its closing motion has ended. */
const AFTER_CLOSE_MS = 180
