import type { MouseEvent, ReactNode } from 'react'
import { useDocumentWay } from './open-passage.ts'

type DocumentLinkProps = { documentId: string; className?: string; children: ReactNode }

/** A link that opens a document next to the chat, or in its own view without a chat. */
export function DocumentLink({ documentId, className, children }: DocumentLinkProps) {
  const { href, open } = useDocumentWay(documentId)
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    open()
  }
  return (
    <a href={href} onClick={onClick} className={className}>
      {children}
    </a>
  )
}
