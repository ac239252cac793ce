import { expect, it } from 'vitest'
import { describePictures, findPictureWish } from './pictures.ts'

it('recognizes a request for images and their number in both languages', () => {
  const wanted = [
    'Draw a boiler house',
    'please draw me a plan of a garden',
    'Could you paint a hill at night',
    'Dessine-moi un mouton',
    'dessinez une chaufferie',
    'Make an image of a red door',
    'Génère une image d’un phare',
    'Fais-moi un dessin de ma maison',
  ]
  for (const text of wanted) expect(findPictureWish(text), text).toEqual({ prompt: text })
  expect(findPictureWish('Create 3 pictures of a harbour')).toEqual({
    ...{ prompt: 'Create 3 pictures of a harbour', n: 3 },
  })
  expect(findPictureWish('Crée 40 images de phares')).toEqual({ prompt: 'Crée 40 images de phares' })
  const others = [
    'Draw a conclusion from these numbers',
    'Draw up a contract',
    'What does this image show?',
    'Make a table of these numbers',
    'Who painted the Mona Lisa?',
    'Fais une synthèse',
  ]
  for (const text of others) expect(findPictureWish(text), text).toBeNull()
})

it('describes the result in a sentence', () => {
  const made = { type: 'media_reference', error: null }
  const failed = { type: 'media_error', error: 'refused' }
  const tell = (...images: object[]) => describePictures(JSON.stringify({ images }), 'en')
  expect(tell(made)).toBe('Here is the image.')
  expect(tell(made, made)).toBe('Here are 2 images.')
  expect(tell(made, failed)).toBe('Here is the image. Not made: 1; the card says why.')
  expect(tell(failed)).toBe('No image was made; the card says why.')
  expect(describePictures('{"result": 4}', 'en')).toBeNull()
})
