import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { invalidParameter } from './errors.ts'
import { quoted } from './text.ts'

/** A file or folder: a path, or a `file:` URL as text or object. */
export type FilePath = string | URL

/** Text can be sent to the engine's thread. */
export function plainPath(path: unknown): string {
  // The schema of the method refuses other values.
  return path instanceof URL ? path.href : (path as string)
}

/**
 * @param parameter - its name in the error
 * @throws {ParameterError} on a `file:` URL of another machine, or one that names no path
 */
export function absolutePath(path: string, parameter = 'file'): string {
  return resolve(withLargeDrive(/^file:/i.test(path) ? pathOfFileUrl(path, parameter) : path))
}

function pathOfFileUrl(fileUrl: string, parameter: string): string {
  try {
    const url = new URL(fileUrl)
    // The path after these characters would be lost without an error.
    if (/[#?]/.test(fileUrl)) {
      throw invalidParameter(
        parameter,
        `${quoted(fileUrl)} has a "${/[#?]/.exec(fileUrl)?.[0]}" in it; make it by pathToFileURL(path), or give the path`,
      )
    }
    return fileURLToPath(url)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ERR_INVALID_FILE_URL_HOST') {
      throw invalidParameter(
        parameter,
        `${quoted(fileUrl)} is on another machine; mount it and give its path here`,
      )
    }
    if (!code?.startsWith('ERR_')) throw error
    throw invalidParameter(parameter, `${quoted(fileUrl)} names no path: ${message}`)
  }
}

/** Windows accepts drive letters in both cases; with one, each file has one path. */
function withLargeDrive(path: string): string {
  return process.platform === 'win32'
    ? path.replace(/^[a-z](?=:)/, (drive) => drive.toUpperCase())
    : path
}
