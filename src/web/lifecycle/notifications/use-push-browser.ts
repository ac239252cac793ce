import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useMe } from '../../platform/lib/me/me.ts'

/** Opens what a notification of this browser leads to, and renews its subscription after a sign-in. */
export function usePushBrowser(): void {
  const navigate = useNavigate()
  const userId = useMe()?.id
  useEffect(() => {
    const workers = navigator.serviceWorker
    if (!workers) return
    const hear = ({ data }: MessageEvent) => {
      if (data?.type === 'open' && typeof data.path === 'string') void navigate({ href: data.path })
    }
    workers.addEventListener('message', hear)
    return () => workers.removeEventListener('message', hear)
  }, [navigate])
  useEffect(() => {
    if (!userId || localStorage.getItem('pushFor') !== userId) return
    // Without it, the next visit renews the subscription.
    void import('./push-browser.ts').then(({ renewPush }) => renewPush(userId)).catch(() => undefined)
  }, [userId])
}
