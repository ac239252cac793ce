import { useEffect, useState } from 'react'
import { useReachability } from '../../platform/lib/api/reachability.ts'
import { createQuiet } from './quiet.ts'
import { isNewVersionServed } from './served-version.ts'

/** Longest time until a new version is noticed. */
const CHECK_MS = 10 * 60_000
/** Time between two checks, also when there are reasons for more. */
const PAUSE_MS = 10_000
/** How often a page with a new version looks whether it may reload. */
const LOOK_MS = 2_000

/**
 * Returns whether the server has a new version. The page then reloads by itself as soon as nothing is being written or
 * streamed. Drafts are stored.
 */
export function useNewVersion(): boolean {
  const [isNew, setNew] = useState(false)
  useEffect(() => {
    if (isNew) return
    let checkedAt = 0
    const check = async () => {
      if (Date.now() - checkedAt < PAUSE_MS) return
      checkedAt = Date.now()
      if (await isNewVersionServed()) setNew(true)
    }
    const whenVisible = () => {
      if (document.visibilityState === 'visible') void check()
    }
    // A server that was away may have been updated.
    const stopListening = useReachability.subscribe((now, before) => {
      if (now.isReachable && !before.isReachable) void check()
    })
    const timer = setInterval(check, CHECK_MS)
    document.addEventListener('visibilitychange', whenVisible)
    return () => {
      stopListening()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', whenVisible)
    }
  }, [isNew])
  useEffect(() => {
    const quiet = createQuiet()
    const timer = setInterval(() => {
      if (isNew && quiet.isQuiet()) location.reload()
    }, LOOK_MS)
    return () => {
      clearInterval(timer)
      quiet.stop()
    }
  }, [isNew])
  return isNew
}
