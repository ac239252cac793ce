/** Folder of the files that a reading made for the viewers. */
export const folderOf = (readingId: string) => `readings/${readingId}/`

/** Key for the bytes of a user's file. */
export const blobKey = (userId: string, id: string) => `blobs/${userId}/${id}`
