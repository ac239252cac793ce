import { Dialog as Base } from '@base-ui/react/dialog'
import clsx from 'clsx'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, Suspense, useEffect, useId } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import {
  closeChatPanel,
  leavePanelSubject,
  NARROW,
  toggleSection,
  useChatPanel,
} from '../../platform/lib/chat-panel.ts'
import { isComposing } from '../../platform/lib/enter-key.ts'
import { isOpenTo, useMe } from '../../platform/lib/me/me.ts'
import { useMedia } from '../../platform/lib/page-state.ts'
import { PanelHeader } from '../../platform/ui/panel-header.tsx'
import { Skeletons } from '../../platform/ui/states/skeleton.tsx'
import { useSessionDetails } from '../../runs/sessions/sessions.ts'
import { panels, sections } from './chat-panels.tsx'
import { PanelGrip } from './panel-grip.tsx'

const CONTEXT_WIDTH = 300

/** The right sidebar of the chat: its sections, or one panel instead. */
export default function ChatPanel({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation('streaming_blocks')
  const isSheet = useMedia(NARROW)
  const { shown, width, subject } = useChatPanel()
  useLeavingSession(sessionId)
  const panel = panels.find(({ name }) => name === shown)
  useEscapeInChat(panel !== undefined && !isSheet)
  const name = t(`panel.${panel?.name ?? 'context'}`)
  const content = (
    <Suspense fallback={<PanelSkeleton />}>
      {panel ? (
        <panel.Content key={subject} sessionId={sessionId} subject={subject} />
      ) : (
        <Context sessionId={sessionId} />
      )}
    </Suspense>
  )
  if (isSheet)
    return (
      <PanelSheet name={name} isOpen={shown !== null}>
        {content}
      </PanelSheet>
    )
  if (shown === null) return null
  const natural = panel?.width ?? CONTEXT_WIDTH
  return (
    <aside
      aria-label={name}
      onKeyDown={closeOnEscape}
      style={{ width: width ?? natural }}
      className="relative print:hidden flex max-w-[max(300px,100vw-556px)] min-h-0 flex-none flex-col border-l border-line bg-bg"
    >
      <PanelGrip natural={natural} />
      {content}
    </aside>
  )
}

/** Closes panels about a session when another session or view opens. */
function useLeavingSession(sessionId: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only leaving the session triggers it.
  useEffect(() => leavePanelSubject, [sessionId])
}

function closeOnEscape(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event)) return
  // Overlays of the sidebar, such as a full screen, close themselves.
  if (!(event.target instanceof Node && event.currentTarget.contains(event.target))) return
  // Escape in the chat stops the run; here it closes the sidebar.
  event.preventDefault()
  closeChatPanel()
}

/** Escape in the chat also closes a panel, unless it stops a run or closes an overlay. */
function useEscapeInChat(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted) return
    const onKey = (event: globalThis.KeyboardEvent) => {
      const isElsewhere =
        event.target instanceof Element && event.target.closest('[role="dialog"], [role="menu"], nav')
      if (event.key === 'Escape' && !event.defaultPrevented && !isComposing(event) && !isElsewhere)
        closeChatPanel()
    }
    // Registered after the listeners of the document.
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [isWanted])
}

function PanelSheet({ name, isOpen, children }: { name: string; isOpen: boolean; children: ReactNode }) {
  return (
    <Base.Root open={isOpen} onOpenChange={(next) => next || closeChatPanel()}>
      <Base.Portal>
        <Base.Backdrop className="fade-motion fixed inset-0 z-(--z-sidebar) bg-overlay" />
        <Base.Popup
          aria-label={name}
          finalFocus={() => document.querySelector('[data-target]') === null}
          className="sheet-motion sheet-right fixed inset-y-0 right-0 z-(--z-sidebar) flex w-full max-w-[600px] flex-col bg-bg shadow-float outline-none"
        >
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

function Context({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation('streaming_blocks')
  const open = useChatPanel((state) => state.section)
  const id = useId()
  const { data } = useSessionDetails(sessionId)
  const way = data?.session_metadata.agent_type
  const me = useMe()
  const shown = sections.filter(
    ({ agent, control }) =>
      (agent === undefined || agent === way) && !(me && control && !isOpenTo(me, control)),
  )
  return (
    <>
      <PanelHeader title={t('panel.context')} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        {shown.map(({ name, icon: Icon, Content, Note, isOnPhones }) => {
          const isOpen = name === open
          const Chevron = isOpen ? ChevronUp : ChevronDown
          return (
            <section
              key={name}
              aria-labelledby={`${id}-${name}`}
              className={clsx('border-b border-line', isOnPhones && 'md:hidden')}
            >
              <h3>
                <button
                  type="button"
                  aria-expanded={isOpen}
                  aria-controls={`${id}-${name}-body`}
                  onClick={() => toggleSection(name)}
                  className="flex h-11 w-full items-center gap-2.5 pr-3 pl-4 text-13 font-medium hover-motion hover:bg-surface focus-visible:-outline-offset-2"
                >
                  <Icon aria-hidden className="icon text-ink-2" />
                  <span id={`${id}-${name}`}>{t(`panel.${name}`)}</span>
                  <span className="ml-auto truncate text-12 font-regular text-ink-3">
                    {Note && (
                      <Suspense fallback={null}>
                        <Note sessionId={sessionId} />
                      </Suspense>
                    )}
                  </span>
                  <Chevron aria-hidden className="icon text-ink-2" />
                </button>
              </h3>
              <div id={`${id}-${name}-body`} hidden={!isOpen} className="border-t border-line">
                {isOpen && (
                  <Suspense fallback={<PanelSkeleton />}>
                    <Content sessionId={sessionId} />
                  </Suspense>
                )}
              </div>
            </section>
          )
        })}
      </div>
    </>
  )
}

function PanelSkeleton() {
  return <Skeletons sizes={['h-4 w-40', 'h-4 w-56', 'h-4 w-32']} />
}
