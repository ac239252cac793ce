import { CircleHelp, Languages, TextQuote } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from '../../platform/i18n/i18n.ts'
import { isComposing } from '../../platform/lib/enter-key.ts'
import { useIsOpen } from '../../platform/lib/me/me.ts'
import { Button } from '../../platform/ui/button.tsx'
import { Menu } from '../../platform/ui/overlays/menu.tsx'
import type { ComposerHandle } from '../composer/composer.tsx'
import { type Selected, useSelection } from './use-selection.ts'
import { quote, targetLanguages } from './write-request.ts'

type SelectionBarProps = {
  composer: RefObject<ComposerHandle | null>
  /** Sends a message. Returns whether it was accepted. */
  onSend: (text: string) => boolean
}

/** Distance to the selected text and to the edges of the screen, in pixels. */
const GAP = 8

/** Quotes, explains or translates what is selected in a reply. Tab leads from the selection to it, Escape closes it. */
export default function SelectionBar(props: SelectionBarProps) {
  return useIsOpen('selected_text') && <Bar {...props} />
}

function Bar({ composer, onSend }: SelectionBarProps) {
  const { t, i18n } = useTranslation('streaming_blocks')
  const { selected, drop } = useSelection()
  const bar = useRef<HTMLDivElement>(null)
  const [isMenuOpen, setMenuOpen] = useState(false)
  // The menu takes the focus, which may end the selection.
  const held = useRef<Selected | null>(null)
  if (selected && !isMenuOpen) held.current = selected
  const shown = isMenuOpen ? held.current : selected
  useKeys(bar, shown, drop)
  usePlace(bar, shown)
  if (!shown) return null
  const ask = (text: string) => {
    if (!onSend(text)) composer.current?.insert(text)
    drop()
  }
  const onQuote = () => {
    composer.current?.insert(`${quote(shown.text)}\n\n`)
    drop()
    composer.current?.focus()
  }
  const languages = targetLanguages(i18n.language)
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={t('selection.label')}
      // A press must not end the selection.
      onPointerDown={(event) => event.preventDefault()}
      className="fixed z-(--z-popover) flex max-w-[calc(100vw-16px)] gap-0.5 rounded-card border border-line-2 bg-raised p-1 shadow-float print:hidden"
    >
      <Button variant="ghost" icon={<TextQuote aria-hidden className="icon" />} onClick={onQuote}>
        {t('selection.quote')}
      </Button>
      <Button
        variant="ghost"
        icon={<CircleHelp aria-hidden className="icon" />}
        onClick={() => ask(t('selection.explain_message', { quote: quote(shown.text) }))}
      >
        {t('selection.explain')}
      </Button>
      <Menu
        open={isMenuOpen}
        onOpenChange={setMenuOpen}
        align="end"
        trigger={
          <Button variant="ghost" icon={<Languages aria-hidden className="icon" />}>
            {t('selection.translate')}
          </Button>
        }
        entries={languages.map(({ code, name }) => ({
          key: code,
          label: name,
          onSelect: () => ask(t('selection.translate_message', { language: name, quote: quote(shown.text) })),
        }))}
      />
    </div>
  )
}

/** Tab moves from the selected text to the actions, and Escape closes them. */
function useKeys(bar: RefObject<HTMLDivElement | null>, shown: Selected | null, drop: () => void): void {
  useEffect(() => {
    if (!shown) return
    const onKey = (event: KeyboardEvent) => {
      const isInside = bar.current?.contains(document.activeElement) ?? false
      if (isComposing(event) || event.defaultPrevented) return
      if (event.key === 'Escape' && !document.querySelector('[role="menu"]')) {
        event.preventDefault()
        event.stopPropagation()
        drop()
        if (isInside) shown.article.focus({ preventScroll: true })
      }
      const isInText = document.activeElement?.matches('input, textarea, [contenteditable]')
      if (event.key !== 'Tab' || event.shiftKey || isInside || isInText) return
      event.preventDefault()
      bar.current?.querySelector('button')?.focus()
    }
    document.addEventListener('keydown', onKey, true)
    return () => document.removeEventListener('keydown', onKey, true)
  }, [bar, shown, drop])
}

/** Places the bar above the selected text with a mouse, and below it on touch screens, whose own menu is above. */
function usePlace(bar: RefObject<HTMLDivElement | null>, shown: Selected | null): void {
  useLayoutEffect(() => {
    if (!shown || !bar.current) return
    const { offsetWidth: width, offsetHeight: height } = bar.current
    const { left, right, top, bottom } = shown.rect
    const isTouch = matchMedia('(pointer: coarse)').matches
    const above = top - height - GAP
    const below = bottom + GAP * (isTouch ? 3 : 1)
    const y = isTouch || above < GAP ? below : above
    const x = (left + right - width) / 2
    bar.current.style.left = `${Math.max(GAP, Math.min(x, innerWidth - width - GAP))}px`
    bar.current.style.top = `${Math.max(GAP, Math.min(y, innerHeight - height - GAP))}px`
  })
}
