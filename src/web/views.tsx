import { type AsyncRouteComponent, lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType, ReactNode } from 'react'
import type { User } from '#shared/identity/accounts/accounts.ts'
import type { Namespace } from '#shared/platform/translations.ts'
import { loadTexts } from './platform/i18n/i18n.ts'

/** A lazily loaded view; the router loads it and its texts before showing it. */
export function view<File extends Record<string, ComponentType<never>>, Name extends keyof File>(
  load: () => Promise<File>,
  name: Name,
  ...texts: Namespace[]
) {
  return lazyRouteComponent<File, Name>(async () => {
    const [file] = await Promise.all([load(), loadTexts(...texts)])
    return file
  }, name)
}

/** Preloads a component's code before the router shows it. */
export function withPreload<Component extends () => ReactNode>(
  component: Component,
  preload: () => Promise<unknown>,
) {
  return Object.assign(component, { preload: preload as () => Promise<void> })
}

const loadGuards = () => import('./lifecycle/shell/for-role.tsx')
const ForRole = lazyRouteComponent(loadGuards, 'ForRole')
const ForFeature = lazyRouteComponent(loadGuards, 'ForFeature')

/** Loads the guard of a view together with the view, so that the first guarded view does not wait for it when shown. */
const preloadGuarded = (Guard: AsyncRouteComponent<never>, Shown: AsyncRouteComponent<object>) => () =>
  Promise.all([Guard.preload?.(), Shown.preload?.()])

/** A view for people for whom `allows` returns true. */
export function forRole(allows: (user: User) => boolean, Shown: AsyncRouteComponent<object>) {
  const Guarded = () => (
    <ForRole allows={allows}>
      <Shown />
    </ForRole>
  )
  return withPreload(Guarded, preloadGuarded(ForRole, Shown))
}

/** A view for people to whom a feature or control is open. */
export function forFeature(feature: string, Shown: AsyncRouteComponent<object>) {
  const Guarded = () => (
    <ForFeature feature={feature}>
      <Shown />
    </ForFeature>
  )
  return withPreload(Guarded, preloadGuarded(ForFeature, Shown))
}

/** State that a page hands to the next one in addition to its address. */
declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The page a visitor came from before the login page. */
    from?: string
    /** A service redirected to the login page, which exchanges its code. */
    isReturning?: boolean
    /** Prompt whose form opens in the chat. */
    promptId?: string
    /** Beginnings of a new prompt. */
    promptText?: string
    promptName?: string
    /** Message of the check-email page. */
    message?: string
    email?: string
    verificationRequired?: boolean
  }
}
