/** How the embedding site wants the assistant shown, from its address. */
export type Look = {
  title: string | null
  isBubble: boolean
  showsSources: boolean
  showsStarters: boolean
}

export function readLook(search: string): Look {
  const query = new URLSearchParams(search)
  return {
    title: query.get('title')?.trim().slice(0, 100) || null,
    isBubble: query.get('place') === 'bubble',
    showsSources: query.get('sources') !== 'off',
    showsStarters: query.get('starters') !== 'off',
  }
}
