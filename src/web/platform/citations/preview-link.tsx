import { type ComponentProps, lazy, Suspense, useRef } from 'react'
import { useCited } from './cited.ts'
import { useFloating } from './use-floating.ts'

const LinkCard = lazy(() => import('./links/link-card.tsx'))

/** Hover time before a link is fetched, so that passing over it fetches nothing. */
const WAITS = { opensMs: 300, focusMs: 300 }

/** A link in a reply. Its card shows on hover and on focus once the reply is complete. A tap follows it. */
export function PreviewLink(props: ComponentProps<'a'>) {
  const { isGrowing } = useCited()
  const link = useRef<HTMLAnchorElement>(null)
  const { root, isOpen, events } = useFloating(WAITS)
  return (
    <span ref={root} {...events}>
      <a {...props} ref={link} />
      {isOpen && !isGrowing && (
        <Suspense>
          <LinkCard anchor={link} url={props.href ?? ''} />
        </Suspense>
      )}
    </span>
  )
}
