import type { ElementContent, Element as HastElement } from 'hast'

/** The context of an element: its heading level, whether it is a direct child of a section, and whether it is inline. */
export type Where = { level: number; isOfSection: boolean; isInline: boolean; language: string }

export function h(
  tagName: string,
  children: ElementContent[],
  properties: HastElement['properties'] = {},
): HastElement {
  return { type: 'element', tagName, properties, children }
}

export const textNode = (value: string): ElementContent => ({ type: 'text', value })

/** Items without a list in the file get one. */
export function withLists(children: ElementContent[]): ElementContent[] {
  const whole: ElementContent[] = []
  let list: HastElement | null = null
  for (const child of children) {
    if (child.type === 'text' && child.value.trim() === '') continue
    if (child.type !== 'element' || child.tagName !== 'li') {
      list = null
      whole.push(child)
    } else if (list) list.children.push(child)
    else {
      list = h('ul', [child])
      whole.push(list)
    }
  }
  return whole
}
