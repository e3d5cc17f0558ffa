import type { Readable } from 'node:stream'

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
