import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A file that was stored completely. */
export interface StoredFile {
  bytes: number
  /** The caller must read it to its end or destroy it. */
  content: Readable
}

/** The store does not answer, or refuses. Logged for the operator; users may try again. */
export class FilesUnavailable extends Error {}

/** Files that the product creates and serves later, with generated names: letters, digits, dots and hyphens. */
export interface FileStore {
  /**
   * Stores everything that `content` yields, or nothing if that or the storing fails: a partial file is never visible.
   * If several writers use one name at once, the last one to finish replaces the others' file.
   */
  write(name: string, content: AsyncIterable<string | Uint8Array>): Promise<void>
  /** Returns undefined if there is no such file. Throws FilesUnavailable. */
  read(name: string): Promise<StoredFile | undefined>
  /**
   * Returns the names of all files, including leftovers of an ended process. Each leftover begins with the name of its
   * file.
   */
  names(): Promise<string[]>
  /** Does nothing if the file is already gone. */
  delete(name: string): Promise<void>
}

/**
 * Stores files in a folder of this machine, which is created with the first file. Several servers need a shared
 * folder. Only the server's user can read the files.
 */
export function createDiskFiles(folder: string): FileStore {
  return {
    async write(name, content) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const part = join(folder, `${name}.${randomUUID()}.part`)
      try {
        // Flushed to disk before it gets its name, so that a file that exists after a power cut is complete.
        await pipeline(Readable.from(content), createWriteStream(part, { mode: 0o600, flags: 'wx', flush: true }))
        await rename(part, join(folder, name))
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },

    async read(name) {
      try {
        const file = await open(join(folder, name))
        const { size } = await file.stat()
        return { bytes: size, content: file.createReadStream() }
      } catch (error) {
        return absent(error, undefined)
      }
    },

    async names() {
      try {
        return await readdir(folder)
      } catch (error) {
        return absent(error, [])
      }
    },

    delete: (name) => rm(join(folder, name), { force: true }),
  }
}

/** Returns `instead` for a file or folder that does not exist; rethrows every other error. */
function absent<T>(error: unknown, instead: T): T {
  if ((error as { code?: string }).code === 'ENOENT') return instead
  throw error
}
