import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FileStore } from './file-store.ts'

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
