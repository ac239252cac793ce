/** Where the files stand that were made of a reading for the viewers. */
export const folderOf = (readingId: string) => `readings/${readingId}/`

/** A new place for the bytes of a file of a person. */
export const blobKey = (userId: string, id: string) => `blobs/${userId}/${id}`
