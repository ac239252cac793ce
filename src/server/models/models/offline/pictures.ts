import * as z from 'zod'
import type { Language } from '#shared/platform/primitives.ts'
import { parseJson } from '#shared/runs/runs/join.ts'
import { say } from './phrases.ts'

/** Characters at the beginning of a text that may request an image. The description may be longer. */
const looked = 200
const verbs =
  /^(?:please |can you |could you |s['’]il te pla[iî]t,? |s['’]il vous pla[iî]t,? |peux-tu |pouvez-vous )?(?:draw|paint|sketch|dessine(?:r|z)?|peins|peindre|illustre(?:r|z)?)(?:[- ](?:me|us|moi|nous))? (?!up\b|on\b|from\b|out\b|conclusions?\b|a conclusion\b|the line\b)/iu
const makes =
  /^(?:please |can you |could you |peux-tu |pouvez-vous )?(?:make|create|generate|crée(?:r|z)?|génère|générer|générez|fais|faites|faire)(?:[- ](?:me|us|moi|nous))? (?:(\d{1,2}) |an? |the |some |une? |des |l['’])?(?:images?|pictures?|drawings?|illustrations?|photos?|photographs?|logos?|dessins?) (?:of |for |with |showing |de |d['’]|du |des |pour |avec |représentant )/iu
const most = 10

/** Returns what an image is to show and how many to make; null when the text requests none. */
export function findPictureWish(text: string): Record<string, unknown> | null {
  const whole = text.trim()
  const beginning = whole.slice(0, looked)
  const made = makes.exec(beginning)
  if (!made && !verbs.test(beginning)) return null
  const n = Number(made?.[1] ?? 1)
  return { prompt: whole, ...(n > 1 && n <= most && { n }) }
}

const Result = z.object({ images: z.array(z.object({ type: z.string() })) })

/** Describes the result of a request; its card shows the images. Returns null when the value is not a result of the tool. */
export function describePictures(value: string, language: Language): string | null {
  const images = Result.safeParse(parseJson(value)).data?.images
  if (!images) return null
  const failed = images.filter(({ type }) => type === 'media_error')
  const made = images.length - failed.length
  if (made === 0) return say(language, 'no_picture')
  const told = made === 1 ? say(language, 'picture') : say(language, 'pictures', String(made))
  return failed.length === 0 ? told : `${told} ${say(language, 'pictures_failed', String(failed.length))}`
}
