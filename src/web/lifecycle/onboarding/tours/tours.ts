import type { TFunction } from 'i18next'

export const tourKeys = [
  'leftSidebar',
  'firstConversation',
  'documents',
  'assistants',
  'userView',
  'preferences',
  'filePreview',
] as const
export type TourKey = (typeof tourKeys)[number]

/** Action of a step when it is first reached. */
export type Action =
  | 'createSession'
  | 'sendMessage'
  | 'uploadPicture'
  | 'sendPictureQuestion'
  | 'sendWebSearch'
  | 'createDraftAssistant'
  | 'openAdvanced'
  | { press: string }

/** One step of a tour, with the selector of its target; the first visible match counts. */
export type Step = {
  key: string
  target: string
  action?: Action
  /** Omitted if its target is missing when the tour starts. */
  isOptional?: boolean
  /** A feature and control that it shows. It is omitted where that is closed or hidden. */
  needs?: string
  /** Nothing is darkened, because the step comes while a reply is read. */
  isBright?: boolean
  /** Selector of an element that the words lie over, where they would cover the target otherwise. */
  over?: string
}

export type Plan = {
  tags: readonly string[]
  /** The tour's view; null for any view. */
  route: string | null
  /** Features and controls that it shows; without one of them it is not offered. */
  needs?: readonly string[]
  /** Selector that must match before it starts. */
  view: string
  steps: readonly Step[]
}

/** A tour with the texts of the person's language. */
export type Tour = Plan & { key: TourKey; name: string; description: string; category: string }

const composer = '[data-composer]'
const lastReply = '.message[data-last]'
const tab = (value: string) => `[data-tour="tab-${value}"]`
const mode = (value: string) => `[data-tour="mode-${value}"]`

const plans: Record<TourKey, Plan> = {
  leftSidebar: {
    tags: ['navigation'],
    route: null,
    view: '[data-tour="new-chat"]',
    steps: [
      { key: 'new_chat', target: '[data-tour="new-chat"]' },
      { key: 'search', target: '[data-tour="search"]' },
      { key: 'views', target: '[data-tour="views"]' },
      { key: 'history', target: '[data-tour="history"]' },
      { key: 'profile', target: '[data-tour="profile"]' },
    ],
  },
  firstConversation: {
    tags: ['chat', 'start'],
    route: '/',
    view: composer,
    steps: [
      { key: 'ask', target: composer, action: 'createSession' },
      { key: 'reply', target: lastReply, action: 'sendMessage', over: composer },
      { key: 'picture', target: composer, needs: 'uploads', action: 'uploadPicture', isBright: true },
      {
        ...{ key: 'picture_reply', target: lastReply, needs: 'uploads' },
        ...{ action: 'sendPictureQuestion', over: composer },
      },
      { key: 'web', target: composer, isBright: true },
      { key: 'web_reply', target: lastReply, action: 'sendWebSearch', over: composer },
    ],
  },
  documents: {
    tags: ['documents'],
    route: '/documents',
    needs: ['documents', 'uploads'],
    view: '[data-tour="upload"]',
    steps: [
      { key: 'upload', target: '[data-tour="upload"]' },
      { key: 'search', target: 'span:has(> [data-tour="document-search"])' },
      { key: 'filters', target: '.library-filters' },
      { key: 'variants', target: '[data-tour="variants"]' },
    ],
  },
  assistants: {
    tags: ['assistants'],
    route: '/assistant',
    needs: ['assistant', 'create_assistant'],
    view: '[data-tour="new-assistant"]',
    steps: [
      { key: 'create', target: '[data-tour="new-assistant"]' },
      { key: 'prompts', target: tab('prompts'), action: 'createDraftAssistant' },
      { key: 'advanced', target: '[data-tour="advanced"]', action: 'openAdvanced' },
      { key: 'files', target: tab('files'), action: { press: tab('files') } },
      { key: 'tools', target: tab('tools'), action: { press: tab('tools') } },
      { key: 'save', target: '[data-tour="publish"]', action: { press: tab('prompts') } },
    ],
  },
  userView: {
    tags: ['account'],
    route: '/user',
    view: tab('preferences'),
    steps: [
      { key: 'preferences', target: tab('preferences'), action: { press: tab('preferences') } },
      { key: 'security', target: tab('security'), action: { press: tab('security') } },
      { key: 'billing', target: tab('billing'), action: { press: tab('billing') } },
    ],
  },
  preferences: {
    tags: ['account', 'writing'],
    route: '/user/preferences',
    view: '[data-tour="language"]',
    steps: [
      { key: 'language', target: '[data-tour="language"]' },
      { key: 'theme', target: '[data-tour="theme"]' },
      { key: 'bio', target: '[data-tour="bio"]' },
      { key: 'style', target: '[data-tour="style"]' },
    ],
  },
  filePreview: {
    tags: ['documents'],
    route: null,
    view: mode('digitized'),
    steps: [
      { key: 'modes', target: '[data-tour="modes"]' },
      { key: 'original', target: mode('original'), action: { press: mode('original') }, isOptional: true },
      { key: 'digitized', target: mode('digitized'), action: { press: mode('digitized') } },
      { key: 'facts', target: '[data-tour="facts"]' },
    ],
  },
}

/** The tours suggested after the welcome. */
export const suggested: readonly TourKey[] = ['leftSidebar', 'firstConversation']

/** Returns all tours; `t` has the texts of `onboarding`. */
export function toursIn(t: TFunction): Tour[] {
  return tourKeys.map((key) => tourIn(t, key))
}

/** Returns one tour. */
export function tourIn(t: TFunction, key: TourKey): Tour {
  return {
    key,
    name: t(`onboarding:tours.${key}.name`),
    description: t(`onboarding:tours.${key}.description`),
    category: t('onboarding:category.general'),
    ...plans[key],
  }
}

/** Returns whether a tour can start here; that of the preview needs a document on screen. */
export function canStart(key: TourKey, path: string): boolean {
  return key !== 'filePreview' || path.includes('/preview/')
}
