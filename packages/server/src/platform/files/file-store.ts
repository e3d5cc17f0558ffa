import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A file that was stored whole. */
export interface StoredFile {
  bytes: number
  /** Whoever asked reads it to its end or destroys it. */
  content: Readable
}

/** Files that the product makes and hands out later, under names that it gives itself: letters, digits, dots and hyphens. */
export interface FileStore {
  /**
   * Stores all that `content` yields, or nothing where that or the storing throws: nobody ever reads a part. Writers of one
   * name don't meet; the last one that is done replaces the others' file.
   */
  write(name: string, content: AsyncIterable<string | Uint8Array>): Promise<void>
  /** Undefined where there is no such file. */
  read(name: string): Promise<StoredFile | undefined>
  /** Everything that lies here, also what a process that died has left of a file. Each begins with the name that it was for. */
  names(): Promise<string[]>
  /** What is gone already does no harm. */
  delete(name: string): Promise<void>
}

/**
 * Files in a folder of this machine, which is made with the first file. Several servers need one folder that all of them
 * see. Readable by the user of the server alone.
 */
export function createDiskFiles(folder: string): FileStore {
  return {
    async write(name, content) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const part = join(folder, `${name}.${randomUUID()}.part`)
      try {
        // On the disk before it gets its name: a file that is there after a power failure is whole.
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

/** What stands for a file or folder that does not exist; throws every other error. */
function absent<T>(error: unknown, instead: T): T {
  if ((error as { code?: string }).code === 'ENOENT') return instead
  throw error
}
