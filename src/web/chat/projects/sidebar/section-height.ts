/** Name of the stored height of the section. */
export const HEIGHT_KEY = 'projects-height'
