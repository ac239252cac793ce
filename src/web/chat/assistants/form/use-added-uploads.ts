import { useEffect, useRef, useState } from 'react'
import { addFiles, type FoundFile, useUploads } from '../../../knowledge/uploads/uploads.ts'

/** Uploads files to the library; each is added once it has arrived. */
export function useAddedUploads(add: (documentIds: string[]) => void) {
  const [awaited, setAwaited] = useState<readonly string[]>([])
  const items = useUploads((state) => state.items)
  const mine = items.filter(({ id }) => awaited.includes(id))
  const arrived = mine.filter(({ state }) => state === 'done')
  const adding = useRef(add)
  adding.current = add
  const key = arrived.map(({ id }) => id).join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: only finished uploads add files.
  useEffect(() => {
    if (arrived.length === 0) return
    adding.current(arrived.flatMap(({ document }) => document?.id ?? []))
    setAwaited((ids) => ids.filter((id) => !arrived.some((upload) => upload.id === id)))
  }, [key])
  return {
    upload: (files: FoundFile[]) => {
      const ids = addFiles(files, {})
      setAwaited((others) => [...others, ...ids])
    },
    underWay: mine.filter(({ state }) => state !== 'done' && state !== 'failed').length,
  }
}
