/** Families of image models: those of OpenAI, of Google, and those that self-hosted servers run. */
const families =
  /^(?:gpt-image|chatgpt-image|dall-e|imagen|flux|stable-?diffusion|sdxl|qwen-image|z-image|sd3|sd-turbo)/i

/** Returns whether the name of a model says that it makes images. */
export function isDrawer(id: string): boolean {
  const name = id.slice(id.lastIndexOf('/') + 1)
  return families.test(name) || (/^gemini-/i.test(name) && /-image(?:-|$)/i.test(name))
}

/** Tokens estimated for an image before it is made. One of the largest at the best quality takes about 6,200. */
export const IMAGE_TOKENS_MAX = 8_192
