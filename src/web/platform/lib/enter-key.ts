import { type KeyboardEvent, useEffect, useState, useSyncExternalStore } from 'react'
import { create } from 'zustand'
import { isShortcut, keysOf } from './me/shortcuts.ts'

/** Keys that on-screen keyboards lack. */
const hardwareKeys = new Set([
  ...['Alt', 'Control', 'Escape', 'Meta', 'Tab'],
  ...['ArrowDown', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'End', 'Home', 'PageDown', 'PageUp'],
])
const TOUCH = '(pointer: coarse)'

/** Whether a hardware keyboard was detected. */
export const useKeyboard = create(() => ({ isHardware: false }))

/**
 * Returns whether Enter sends the text. On a touch keyboard it starts a new line, because there is no Shift+Enter. A tablet
 * with a keyboard is recognized by the first key in a text field that touch keyboards lack.
 */
export function useEnterSends(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => useKeyboard.getState().isHardware || !matchMedia(TOUCH).matches,
  )
}

/** Returns the label of the Enter key on a touch keyboard. */
export const enterHint = (enterSends: boolean) => (enterSends ? 'send' : 'enter')

/**
 * Returns whether a key belongs to an input method, as the Enter that ends a word. Safari reports that one after the
 * composition has ended, with key code 229.
 */
export function isComposing(event: KeyboardEvent | globalThis.KeyboardEvent): boolean {
  const native = 'nativeEvent' in event ? event.nativeEvent : event
  return native.isComposing || native.keyCode === 229
}

/** Returns whether a key in a text field sends the text. While an input method composes, Enter only ends the word. */
export function isSendKey(event: KeyboardEvent, enterSends: boolean): boolean {
  const { key, shiftKey, ctrlKey, metaKey } = event
  if (isComposing(event)) return false
  if (keysOf('send') !== 'enter') return isShortcut(event, 'send')
  if (key !== 'Enter' || isShortcut(event, 'new_line')) return false
  return ctrlKey || metaKey || (enterSends && !shiftKey)
}

/**
 * Returns what Enter calls in a field with results. Before the results of the typed words are there, it waits for them: those on screen belong
 * to earlier words. Other words cancel it.
 */
export function useConfirm(words: string, isSettled: boolean, choose: () => void): () => void {
  const [confirmed, setConfirmed] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `choose` is a new function with each render.
  useEffect(() => {
    if (confirmed === null || !isSettled) return
    setConfirmed(null)
    if (confirmed === words) choose()
  }, [confirmed, words, isSettled])
  return () => (isSettled ? choose() : setConfirmed(words))
}

/** Starts a new line in a text field when a person chose other keys for it than the browser’s. Returns whether it did. */
export function insertsLine(event: KeyboardEvent): boolean {
  if (isComposing(event) || keysOf('new_line') === 'shift+enter' || !isShortcut(event, 'new_line'))
    return false
  event.preventDefault()
  // The only way to insert text that undo can revert.
  document.execCommand('insertText', false, '\n')
  return true
}

function subscribe(listener: () => void): () => void {
  const media = matchMedia(TOUCH)
  const onKey = ({ key, target }: globalThis.KeyboardEvent) => {
    if (
      useKeyboard.getState().isHardware ||
      !(target instanceof HTMLTextAreaElement) ||
      !hardwareKeys.has(key)
    )
      return
    useKeyboard.setState({ isHardware: true })
    listener()
  }
  media.addEventListener('change', listener)
  window.addEventListener('keydown', onKey, true)
  return () => {
    media.removeEventListener('change', listener)
    window.removeEventListener('keydown', onKey, true)
  }
}
