import { fileURLToPath } from 'node:url'
import { GlobalFonts } from '@napi-rs/canvas'

const file = fileURLToPath(import.meta.resolve('pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf'))
GlobalFonts.registerFromPath(file, 'Drawn')

/** A font that every machine has, for text drawn by tests. Size in pixels. */
export const drawnFont = (size: number) => `${size}px Drawn`
