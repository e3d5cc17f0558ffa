import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Workplace } from '../script/workplace.ts'

/** A small file system that can be filled. It is a tmpfs, so only root can mount it. */
export class SmallDisk {
  readonly folder: string
  readonly #ballast: string

  private constructor(folder: string) {
    this.folder = folder
    this.#ballast = join(folder, 'ballast')
  }

  /** Returns null if this user may not mount one. */
  static mount(workplace: Workplace, megabytes: number): SmallDisk | null {
    const folder = join(workplace.folder, 'disk')
    mkdirSync(folder)
    const mounted = spawnSync('/bin/mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder])
    if (mounted.status !== 0) return null
    // The unmount is lazy, because a process that is ending may still use it.
    workplace.atEnd(() => spawnSync('/bin/umount', ['-l', folder]))
    return new SmallDisk(folder)
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.folder)
    return bavail * bsize
  }

  /** Uses up space until this much is left. */
  fill(leftBytes: number): void {
    writeFileSync(this.#ballast, Buffer.alloc(Math.max(0, this.freeBytes - leftBytes)))
  }

  /** Frees the space again. */
  relieve(): void {
    rmSync(this.#ballast, { force: true })
  }
}
