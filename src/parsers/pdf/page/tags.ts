import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** The role of a piece of text in the tagged structure. */
export type Role = { kind: 'heading' | 'item' | 'text'; level?: number; isTitle?: true }

type Node = { role?: string; type?: string; id?: string; children?: Node[] }

/** Returns the roles of marked text by mark id; empty if the page is not tagged. */
export async function readTags(page: PDFPageProxy): Promise<Map<string, Role>> {
  const roles = new Map<string, Role>()
  const walk = (node: Node, role: Role | null): void => {
    if (node.type === 'content' && node.id !== undefined && role) roles.set(node.id, role)
    const own = roleOf(node.role ?? '') ?? role
    for (const child of node.children ?? []) walk(child, own)
  }
  try {
    walk(((await page.getStructTree()) ?? {}) as Node, null)
  } catch {
    // Tags are optional; a page with broken tags is read without them.
  }
  return roles
}

function roleOf(role: string): Role | null {
  const heading = /^H([1-6])?$/.exec(role)
  if (heading) return { kind: 'heading', ...(heading[1] ? { level: Number(heading[1]) } : {}) }
  if (role === 'Title') return { kind: 'heading', isTitle: true }
  if (role === 'LI' || role === 'LBody') return { kind: 'item' }
  return role === 'P' ? { kind: 'text' } : null
}
