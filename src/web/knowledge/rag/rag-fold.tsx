import { ChevronDown, ChevronRight } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'

/** Long content behind a disclosure. */
export function RagFold({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <section aria-label={title} className="rounded-card border border-line bg-raised">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-11 w-full items-center gap-2 rounded-card px-4 text-left text-13 font-medium"
      >
        <Chevron aria-hidden className="icon-14 flex-none text-ink-2" />
        {title}
        <span className="num min-w-0 truncate text-12 font-regular text-ink-3">{note}</span>
      </button>
      {isOpen && (
        <div id={id} className="px-4 pb-4">
          {children}
        </div>
      )}
    </section>
  )
}
