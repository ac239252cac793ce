import { useEffect, useState } from 'react'
import { useLayout } from '../../platform/lib/layout.ts'

const DEBOUNCE_MS = 250

/** The last handled request, because the list may be rendered after the search was requested. */
let answered = 0

/** The search of the history: opened by the shell's request, with debounced queries. */
export function useHistorySearch() {
  const requests = useLayout((state) => state.searchRequests)
  const [seen, setSeen] = useState(requests)
  const [isOpen, setOpen] = useState(requests > answered)
  const words = useLayout((state) => state.searchWords)
  const [typed, setTyped] = useState(isOpen ? (words ?? '') : '')
  const [query, setQuery] = useState('')
  if (requests !== seen) {
    setSeen(requests)
    setOpen(true)
    if (words !== null) setTyped(words)
  }
  useEffect(() => {
    answered = requests
  }, [requests])
  useEffect(() => {
    const words = isOpen ? typed.trim() : ''
    const timer = setTimeout(() => setQuery(words), words ? DEBOUNCE_MS : 0)
    return () => clearTimeout(timer)
  }, [typed, isOpen])
  const close = () => {
    setOpen(false)
    setTyped('')
    setQuery('')
  }
  return { isOpen, typed, query: isOpen ? query : '', requests, setTyped, close }
}
