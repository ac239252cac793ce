import { childOf, childrenOf, elementsOf, type XmlNode } from '../xml/read-xml.ts'

/** In EMU, from the upper left corner of the slide. */
export type Frame = { x: number; y: number; width: number; height: number }
export type Placeholder = { type: string; index: string }
/** A shape of a slide with its frame; groups are flattened. */
export type Shape = { node: XmlNode; frame: Frame | null; placeholder: Placeholder | null }

type Move = { x: number; y: number; scaleX: number; scaleY: number }
const still: Move = { x: 0, y: 0, scaleX: 1, scaleY: 1 }

/** The shapes of a tree in order. */
export function shapesOf(tree: XmlNode | undefined, move: Move = still): Shape[] {
  return elementsOf(tree).flatMap((node): Shape[] => {
    if (node.name === 'mc:AlternateContent')
      return shapesOf(childOf(node, 'mc:Choice') ?? childOf(node, 'mc:Fallback'), move)
    if (node.name === 'p:grpSp') return shapesOf(node, inGroup(node, move))
    if (!/^p:(sp|graphicFrame|pic|cxnSp)$/.test(node.name)) return []
    return [{ node, frame: moved(frameOf(node), move), placeholder: placeholderOf(node) }]
  })
}

/** The shape of a layout or master from which a placeholder inherits its position and bullets. */
export function baseOf(shapes: Shape[], { type, index }: Placeholder): Shape | undefined {
  const same = (one: Shape) => one.placeholder?.type === type
  return (
    shapes.find((one) => index !== '' && one.placeholder?.index === index) ??
    shapes.find(same) ??
    shapes.find((one) => isBody(type) && one.placeholder !== null && isBody(one.placeholder.type)) ??
    shapes.find((one) => isTitle(type) && one.placeholder !== null && isTitle(one.placeholder.type))
  )
}

export const isTitle = (type: string) => type === 'title' || type === 'ctrTitle'
export const isBody = (type: string) => /^(body|obj|)$/.test(type)

function placeholderOf(node: XmlNode): Placeholder | null {
  const own = elementsOf(node).find(({ name }) => /^p:nv\w*Pr$/.test(name))
  const found = childOf(childOf(own, 'p:nvPr'), 'p:ph')
  return found ? { type: found.attributes.type ?? '', index: found.attributes.idx ?? '' } : null
}

function frameOf(node: XmlNode): Frame | null {
  const transform = childOf(node, 'p:spPr', 'a:xfrm') ?? childOf(node, 'p:xfrm')
  return frameIn(transform, 'a:off', 'a:ext')
}

function frameIn(transform: XmlNode | undefined, offset: string, extent: string): Frame | null {
  const [at, size] = [childOf(transform, offset)?.attributes, childOf(transform, extent)?.attributes]
  if (!at || !size) return null
  return { x: Number(at.x), y: Number(at.y), width: Number(size.cx), height: Number(size.cy) }
}

function inGroup(group: XmlNode, move: Move): Move {
  const transform = childOf(group, 'p:grpSpPr', 'a:xfrm')
  const [outer, inner] = [frameIn(transform, 'a:off', 'a:ext'), frameIn(transform, 'a:chOff', 'a:chExt')]
  if (!outer || !inner) return move
  const [scaleX, scaleY] = [outer.width / (inner.width || 1), outer.height / (inner.height || 1)]
  return {
    x: move.x + move.scaleX * (outer.x - inner.x * scaleX),
    y: move.y + move.scaleY * (outer.y - inner.y * scaleY),
    scaleX: move.scaleX * scaleX,
    scaleY: move.scaleY * scaleY,
  }
}

function moved(frame: Frame | null, { x, y, scaleX, scaleY }: Move): Frame | null {
  if (!frame) return null
  return {
    x: x + frame.x * scaleX,
    y: y + frame.y * scaleY,
    width: frame.width * scaleX,
    height: frame.height * scaleY,
  }
}

/** The rows of a table in a drawing, with their cells. */
export function tableRows(table: XmlNode): XmlNode[][] {
  return childrenOf(table, 'a:tr').map((row) => childrenOf(row, 'a:tc'))
}
