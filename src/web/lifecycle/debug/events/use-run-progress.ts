import { useCallback, useState } from 'react'
import { type Entry, readProgress } from './event-entry.ts'

export type RunProgress = { percent: number | null; step: string; number: number | null }

const nothing: RunProgress = { percent: null, step: '', number: null }

/** Returns the progress of the run from its events. Resets with every run. */
export function useRunProgress() {
  const [progress, setProgress] = useState(nothing)
  const hear = useCallback((entry: Entry) => {
    const told = readProgress(entry)
    if (told) setProgress((before) => ({ ...before, ...told }))
    if (entry.type === 'agent_processing_started') setProgress(nothing)
    const { number } = entry.fields
    if (entry.type === 'agent_step_started' && typeof number === 'number')
      setProgress((before) => ({ ...before, number }))
  }, [])
  return { progress, hear }
}
