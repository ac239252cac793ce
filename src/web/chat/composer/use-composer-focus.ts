import { type RefObject, useEffect } from 'react'
import { useCurrentSession } from '../../platform/lib/current-session.ts'
import type { ComposerHandle } from './message-field.tsx'

/** Focuses the composer when a chat opens or begins, except on touch screens, where a keyboard would cover the content. */
export function useComposerFocus(composer: RefObject<ComposerHandle | null>): void {
  const isCreating = useCurrentSession((state) => state.isCreating)
  useEffect(() => {
    const isFree = document.activeElement === document.body && !location.search
    if (isFree && hasKeyboard()) composer.current?.focus()
  }, [composer])
  useEffect(() => {
    if (isCreating && hasKeyboard()) composer.current?.focus()
  }, [isCreating, composer])
}

function hasKeyboard(): boolean {
  return !matchMedia('(pointer: coarse)').matches
}
