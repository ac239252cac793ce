/** Families of models that make images: those of OpenAI, of Google, and what servers of one's own run. */
const families =
  /^(?:gpt-image|chatgpt-image|dall-e|imagen|flux|stable-?diffusion|sdxl|qwen-image|z-image|sd3|sd-turbo)/i

/** Whether the name of a model says that it makes images. */
export function isDrawer(id: string): boolean {
  const name = id.slice(id.lastIndexOf('/') + 1)
  return families.test(name) || (/^gemini-/i.test(name) && /-image(?:-|$)/i.test(name))
}

/** The longest an image is reckoned with before it is made, in tokens: one of the largest at the best quality takes some 6,200. */
export const IMAGE_TOKENS_MAX = 8_192
