import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Optional programs, with their Debian packages and the formats that cannot be read without them. */
const programs = {
  soffice: {
    package: 'libreoffice-writer libreoffice-calc libreoffice-impress',
    formats: ['doc', 'xls', 'ppt'],
  },
  ffmpeg: { package: 'ffmpeg', formats: ['m4a', 'aac', 'mp4', 'webm', 'mov', 'avi', 'mkv'] },
  tesseract: { package: 'tesseract-ocr tesseract-ocr-fra', formats: [] as string[] },
} as const
export type Program = keyof typeof programs

/** Returns the path of a program; null if it is not installed. */
export function findProgram(name: Program): string | null {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name)
    try {
      accessSync(path, constants.X_OK)
      return path
    } catch {
      // Not in this folder.
    }
  }
  return null
}

/** Returns the Debian packages of a program. */
export const packageOf = (name: Program): string => programs[name].package

/** Returns missing programs that some formats need. */
export function missingPrograms(): { program: string; package: string; formats: string[] }[] {
  return (Object.keys(programs) as Program[])
    .filter((name) => programs[name].formats.length > 0 && findProgram(name) === null)
    .map((program) => ({
      program,
      package: programs[program].package,
      formats: [...programs[program].formats],
    }))
}
