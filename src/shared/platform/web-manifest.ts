import type { Language } from './primitives.ts'

const iconOf = (src: string, size: string, purpose: 'any' | 'maskable') => ({
  ...{ src, sizes: size, type: 'image/png', purpose },
})

/** Sizes of the product's own icons in pixels. */
export const ICON_SIZES = [192, 512]
/** Icon that a system cuts into its own shape. */
export const MASKABLE_ICON = { size: 512, path: 'icon-maskable-512.png' }

const ownIcons = [
  ...ICON_SIZES.map((size) => iconOf(`/icon-${size}.png`, `${size}x${size}`, 'any')),
  iconOf(`/${MASKABLE_ICON.path}`, `${MASKABLE_ICON.size}x${MASKABLE_ICON.size}`, 'maskable'),
]

type Look = {
  name: string
  /** Accent as `#rrggbb`. */
  colour?: string | undefined
  /** Address of a square picture that replaces the icons. */
  icon?: string | undefined
}
type Words = { new_chat: string; search: string; inbox: string }

/** Describes the installed product in the language of its texts. */
export function manifestIn(lang: Language, words: Words, { name, colour = '#4a7de6', icon }: Look) {
  const icons = icon === undefined ? ownIcons : [iconOf(icon, 'any', 'any')]
  const shortcutTo = (title: string, url: string) => ({
    ...{ name: title, url, icons: [iconOf('/icon-192.png', '192x192', 'any')] },
  })
  return {
    ...{ lang, name, short_name: name, id: '/', start_url: '/', scope: '/', display: 'standalone' },
    ...{ background_color: '#ffffff', theme_color: colour, icons },
    shortcuts: [
      shortcutTo(words.new_chat, '/chat'),
      shortcutTo(words.search, '/inbox?palette=open'),
      shortcutTo(words.inbox, '/inbox'),
    ],
    // The service worker answers this address.
    share_target: {
      ...{ action: '/share', method: 'POST', enctype: 'multipart/form-data' },
      params: {
        ...{ title: 'title', text: 'text', url: 'url' },
        files: [{ name: 'files', accept: ['image/*', 'text/*', 'audio/*', 'video/*', 'application/*'] }],
      },
    },
  }
}
