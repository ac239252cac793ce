import { cloneElement, type ReactElement } from 'react'

/** Words shown while its one child is hovered or focused. Never the only label: the child needs its own name. */
export function Tooltip({ text, keys, children }: { text: string; keys?: string; children: ReactElement }) {
  return cloneElement(children as ReactElement<Record<string, unknown>>, {
    'data-tip': text,
    'data-tip-keys': keys,
  })
}
