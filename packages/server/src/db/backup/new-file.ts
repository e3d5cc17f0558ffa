import { link, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { OperatorError } from '../connect.ts'

/**
 * A file that must not exist yet and gets its name only when it is whole, so that nobody takes a half for a backup.
 * Readable by its owner alone.
 */
export class NewFile {
  readonly path: string
  readonly partialPath: string

  private constructor(path: string) {
    this.path = path
    this.partialPath = `${path}.part`
  }

  /** Throws OperatorError when the file exists already or can't be made. */
  static async create(path: string): Promise<NewFile> {
    const file = new NewFile(resolve(path))
    try {
      await refuseExisting(file.path)
      // By this one step two commands can't write the same file.
      await (await open(file.partialPath, 'wx', 0o600)).close()
      return file
    } catch (error) {
      throw file.explain(error)
    }
  }

  /** Gives it its name and makes that last through a power cut. */
  async finish(): Promise<void> {
    try {
      // A link never replaces a file that came into being meanwhile; a rename would.
      await link(this.partialPath, this.path)
      await rm(this.partialPath)
    } catch (error) {
      if (!NO_LINKS.has((error as NodeJS.ErrnoException).code ?? '')) throw error
      await refuseExisting(this.path)
      await rename(this.partialPath, this.path)
    }
    const folder = await open(dirname(this.path))
    await folder.sync()
    await folder.close()
  }

  async discard(): Promise<void> {
    await rm(this.partialPath, { force: true })
  }

  /** The same error in words that say what to do, where they are known. */
  explain(error: unknown): unknown {
    const { code, message, syscall } = error as NodeJS.ErrnoException
    if (syscall === undefined || error instanceof OperatorError) return error
    if (code === 'EEXIST' && syscall === 'link') return alreadyThere(this.path)
    if (code === 'EEXIST') {
      return new OperatorError(
        `${this.partialPath} exists: another backup is writing it, or one was killed. Delete it when no backup runs, or choose another name.`,
      )
    }
    const advice = ADVICE[code ?? ''] ?? 'choose another place'
    return new OperatorError(`The backup can't be written to ${this.path} (${message}): ${advice}.`, { cause: error })
  }
}

/** File systems without hard links, such as those of memory sticks, say one of these. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

const ADVICE: Record<string, string> = {
  ENOENT: 'create that folder first, or choose another place',
  ENOSPC: 'make room there, or choose another place',
  EACCES: 'get the right to write there, or choose another place',
}

async function refuseExisting(path: string): Promise<void> {
  const existing = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (existing === null) return
  await existing.close()
  throw alreadyThere(path)
}

function alreadyThere(path: string): OperatorError {
  return new OperatorError(
    `${basename(path)} exists already in ${dirname(path)}, and a backup never replaces a file: choose another name, or delete it first.`,
  )
}
